import { inflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { drawTokenImage } from './token-image.ts';

/** How many pixels have each colour of the palette. */
function _count(png: Buffer): number[] {
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const counts = [0, 0, 0];
  for (const [index, value] of rows.entries()) if (index % 513 !== 0) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

test('a picture is a PNG of 512 by 512 with the symbol on a disc, whole for every length', () => {
  for (const symbol of ['A', 'ADA', 'WWWW', 'EIGHT', '8LETTERS', '0']) {
    const png = drawTokenImage(symbol, 'mint');
    expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
    expect(png.length).toBeLessThan(10_000);
    const [, disc = 0, letters = 0] = _count(png);
    expect(disc).toBeGreaterThan(50_000);
    expect(letters).toBeGreaterThan(1_000);
  }
});

test('the same symbol and mint give the same picture, another mint another one', () => {
  expect(drawTokenImage('ADA', 'a')).toEqual(drawTokenImage('ADA', 'a'));
  expect(drawTokenImage('ADA', 'a')).not.toEqual(drawTokenImage('ADA', 'b'));
});
