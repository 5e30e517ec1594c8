import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { PRODUCT_SLUG } from '@archive/contracts';
import { Keypair } from '@solana/web3.js';
import { readSecretKey } from '../chain/secret-key.ts';
import { keptFile } from '../kept-file.ts';

/**
 * Derives the token's key from the post and the number of the attempt. It never varies, so a repeated attempt cannot
 * make a second token. `post` is the platform id, which stays the same if the post is saved again after a restore.
 * Older tokens were derived from `_id`, which does not stay the same.
 */
export function mintKeypair(launchKey: Keypair, post: string, attempt: number): Keypair {
  const seed = createHmac('sha256', launchKey.secretKey)
    .update(`${PRODUCT_SLUG}:launch:mint:v1:${post}:${attempt}`)
    .digest();
  return Keypair.fromSeed(seed);
}

/** The launch key of a development machine. Created at the first start and kept, so that its funds are not lost. */
export function keptLaunchKey(dataDir: string): Uint8Array {
  const path = join(dataDir, 'launch-keypair.json');
  const key = readSecretKey(keptFile(path, () => JSON.stringify([...Keypair.generate().secretKey])));
  if (!key) throw new Error(`${path} holds no key pair: delete it, and another one is made`);
  return key;
}
