import { createHmac, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT_SLUG } from '@archive/contracts';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';

const SECRET_BYTES = 64;

/** 64 bytes from base58 or a JSON array of numbers; null where they are no key pair. */
export function readSecretKey(text: string): Uint8Array | null {
  const bytes = text.trim().startsWith('[') ? readNumbers(text) : bs58.decodeUnsafe(text.trim());
  if (bytes?.length !== SECRET_BYTES) return null;
  try {
    return Keypair.fromSecretKey(bytes).secretKey;
  } catch {
    return null;
  }
}

/**
 * The key of the token of a post's n-th attempt: the same whoever asks and whenever, so that an attempt repeated can never
 * make a second token.
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
  const draft = `${path}.${randomUUID()}`;
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(draft, JSON.stringify([...Keypair.generate().secretKey]), { mode: 0o600 });
  try {
    // Whole or not at all; of two processes that start at once the first one's stands.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const key = readSecretKey(readFileSync(path, 'utf8'));
  if (!key) throw new Error(`${path} holds no key pair: delete it, and another one is made`);
  return key;
}

function readNumbers(text: string): Uint8Array | null {
  try {
    const value: unknown = JSON.parse(text);
    const isBytes = Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
    return isBytes ? Uint8Array.from(value as number[]) : null;
  } catch {
    return null;
  }
}
