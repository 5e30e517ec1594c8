import { createHash } from 'node:crypto';

const LETTERS = '234567abcdefghijklmnopqrstuvwxyz';

/**
 * The key of the record that answers a request: of the form that Bluesky gives to records (53 bits of microseconds, 10 of
 * a clock's number, five to a letter), the same whenever it is made for the same request.
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
