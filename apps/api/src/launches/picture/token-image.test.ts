import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { drawTokenImage } from './token-image.ts';

const SIZE = 512;
const MIDDLE = (SIZE - 1) / 2;
const INK = '#381804';

interface Pixel {
  colour: string;
  alpha: number;
  fromMiddle: number;
}

function _pixels(png: Buffer): Pixel[] {
  const [palette, alphas, data] = ['PLTE', 'tRNS', 'IDAT'].map((name) => {
    const at = png.indexOf(name);
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  }) as [Buffer, Buffer, Buffer];
  const rows = inflateSync(data);
  return Array.from({ length: SIZE * SIZE }, (_, at) => {
    const [x, y] = [at % SIZE, Math.floor(at / SIZE)];
    const index = rows[y * (SIZE + 1) + 1 + x] as number;
    return {
      colour: `#${palette.toString('hex', index * 3, index * 3 + 3)}`,
      alpha: alphas[index] ?? 255,
      fromMiddle: Math.hypot(x - MIDDLE, y - MIDDLE),
    };
  });
}

function _luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(['A', 'I', 'ADA', 'WWWW', 'EIGHT', 'AMBER26', 'WWWWMMMM', '8LETTERS', '0'])(
  '%s is whole on a round coin, with nothing around it',
  (symbol) => {
    const png = drawTokenImage(symbol, 'mint');
    expect(png.toString('hex', 0, 8)).toBe('89504e470d0a1a0a');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([SIZE, SIZE]);
    expect(png.length).toBeLessThan(30_000);
    const pixels = _pixels(png);
    expect(pixels.filter(({ alpha, fromMiddle }) => alpha > 0 && fromMiddle > 251)).toEqual([]);
    expect(pixels.filter(({ alpha, fromMiddle }) => alpha < 255 && fromMiddle < 249)).toEqual([]);
    const ink = pixels.filter(({ colour }) => colour === INK);
    expect(ink.length).toBeGreaterThan(3_000);
    // A margin to the rim remains for any letters.
    expect(ink.filter(({ fromMiddle }) => fromMiddle > 205)).toEqual([]);
  },
);

test('edges are soft: of the coin into nothing, of letters into the coin', () => {
  const pixels = _pixels(drawTokenImage('O', 'mint'));
  expect(new Set(pixels.map(({ alpha }) => alpha)).size).toBeGreaterThan(20);
  expect(new Set(pixels.map(({ colour }) => colour)).size).toBeGreaterThan(100);
});

test('letters stand out from whatever tones the mint chooses', () => {
  for (const mint of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const counts = new Map<string, number>();
    for (const { colour, fromMiddle } of _pixels(drawTokenImage('I', mint))) {
      if (fromMiddle < 230) counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const tones = [...counts].filter(([colour, count]) => colour !== INK && count > 10_000).map(([colour]) => colour);
    expect(tones).toHaveLength(2);
    for (const tone of tones) {
      expect((_luminance(tone) + 0.05) / (_luminance(INK) + 0.05)).toBeGreaterThan(4.5);
    }
  }
});

test('the same symbol and mint give the same picture, another symbol or mint another one', () => {
  const picture = drawTokenImage('ADA', 'a');
  expect(drawTokenImage('ADA', 'a')).toEqual(picture);
  expect(drawTokenImage('ADA', 'b')).not.toEqual(picture);
  expect(drawTokenImage('ADB', 'a')).not.toEqual(picture);
});

test('a picture once published never changes', () => {
  const seen = _pixels(drawTokenImage('AMBER26', 'mint')).map(({ colour, alpha }) => `${colour} ${alpha}`);
  expect(createHash('sha256').update(seen.join()).digest('hex')).toBe(
    'e650470cc159028b0bd1797709148a1f8fd8cf15f8c2ed16960a04ce4329d027',
  );
});
