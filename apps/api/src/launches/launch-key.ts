import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { PRODUCT_SLUG } from '@archive/contracts';
import { Keypair } from '@solana/web3.js';
import { readSecretKey } from '../chain/secret-key.ts';
import { keptFile } from '../kept-file.ts';

/**
 * The key of the token of a post's n-th attempt: the same whoever asks and whenever, so that an attempt repeated can never
 * make a second token. `post` is its platform id, which a post that is sent again after a restore keeps; tokens of before
 * were derived from its `_id`, which it does not.
 */
export function mintKeypair(launchKey: Keypair, post: string, attempt: number): Keypair {
  const seed = createHmac('sha256', launchKey.secretKey)
    .update(`${PRODUCT_SLUG}:launch:mint:v1:${post}:${attempt}`)
    .digest();
  return Keypair.fromSeed(seed);
}

/** The launch key of a development machine: made on first start and kept, so that it stays funded. */
export function keptLaunchKey(dataDir: string): Uint8Array {
  const path = join(dataDir, 'launch-keypair.json');
  const key = readSecretKey(keptFile(path, () => JSON.stringify([...Keypair.generate().secretKey])));
  if (!key) throw new Error(`${path} holds no key pair: delete it, and another one is made`);
  return key;
}
