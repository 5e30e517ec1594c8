import { createHash } from 'node:crypto';

const LETTERS = '234567abcdefghijklmnopqrstuvwxyz';

/**
 * The record key of the reply to a request, the same for each call with the same request. It has Bluesky's form: 53
 * bits of microseconds and 10 bits of a clock id, five bits to a letter.
 */
export function recordKeyOf(request: string, at: Date): string {
  const hash = createHash('sha256').update(request).digest();
  const micros = BigInt(at.getTime()) * 1000n + BigInt(hash.readUInt32BE(0) % 1000);
  let bits = (micros << 10n) | BigInt(hash.readUInt16BE(4) & 1023);
  let key = '';
  for (let letter = 0; letter < 13; letter++) {
    key = LETTERS.charAt(Number(bits & 31n)) + key;
    bits >>= 5n;
  }
  return key;
}
