/** Text as Borsh writes it: length in 4 bytes, little-endian, and UTF-8. */
export function borshText(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
