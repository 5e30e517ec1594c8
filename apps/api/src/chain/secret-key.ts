import { createPrivateKey, createPublicKey } from 'node:crypto';
import bs58 from 'bs58';

const SEED_BYTES = 32;
const KEY_PAIR_BYTES = 64;
/** Longest base58 text of a key pair. Longer text is refused, since decoding takes quadratic time. */
const KEY_PAIR_LETTERS = 88;
/** PKCS #8 prefix of an Ed25519 seed. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Reads a key pair of 64 bytes from base58 or a JSON array of numbers; null if the text contains none. */
export function readSecretKey(text: string): Uint8Array | null {
  const bytes = text.trim().startsWith('[') ? readNumbers(text) : readBase58(text.trim());
  return bytes?.length === KEY_PAIR_BYTES && isKeyPair(bytes) ? bytes : null;
}

/** Whether the second half is the public key of the seed in the first half. */
function isKeyPair(bytes: Uint8Array): boolean {
  const pkcs8 = Buffer.concat([PKCS8, bytes.subarray(0, SEED_BYTES)]);
  const publicKey = createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }));
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES).equals(bytes.subarray(SEED_BYTES));
}

function readBase58(text: string): Uint8Array | undefined {
  return text.length <= KEY_PAIR_LETTERS ? bs58.decodeUnsafe(text) : undefined;
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
