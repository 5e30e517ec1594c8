import { aPicture } from '@archive/testing/media';
import { beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { readPicture } from '../../media/read-picture.ts';
import { CARD_HEIGHT, CARD_WIDTH, type Card } from './card.ts';
import { CardArtist } from './draw-card.ts';

const PLAIN: Card = {
  words: 'The moon rose behind the gasworks tonight.',
  author: 'Ida Moravec',
  handle: 'idamoravec',
  date: '23 November 2026',
  avatar: null,
  picture: null,
};
const artist = new CardArtist();
const [RED, BLUE] = ['#d01010', '#1010d0'];
let red: Buffer;
let blue: Buffer;

beforeAll(async () => {
  const filled = (background: string) =>
    sharp({ create: { width: 900, height: 500, channels: 3, background } })
      .webp()
      .toBuffer();
  [red, blue] = await Promise.all([filled(RED), filled(BLUE)]);
  // After reading a picture, this process reads no SVG any more, as in the API.
  await readPicture(Buffer.from(await aPicture({ width: 30, height: 30 })));
});

async function drawn(card: Partial<Card>) {
  const { png, unread } = await artist.draw({ ...PLAIN, ...card });
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([CARD_WIDTH, CARD_HEIGHT, 3]);
  const at = (x: number, y: number) => [...data.subarray((y * CARD_WIDTH + x) * 3, (y * CARD_WIDTH + x) * 3 + 3)];
  /** The number of light pixels. On the slab only letters are light. */
  const light = (left: number, top: number, right: number, bottom: number) => {
    let count = 0;
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) if (Math.min(...at(x, y)) > 150) count++;
    return count;
  };
  return { at, light, unread };
}

const isRed = ([r = 0, g = 0, b = 0]: number[]) => r > 180 && g < 60 && b < 60;
const isBlue = ([r = 0, g = 0, b = 0]: number[]) => b > 180 && r < 60 && g < 60;

test('a picture and a portrait stand in their places, cut to their shapes', async () => {
  const { at, light, unread } = await drawn({ picture: red, avatar: blue });
  expect(unread).toEqual([]);
  for (const [x, y] of [
    [922, 273],
    [728, 273],
    [1116, 273],
    [922, 83],
    [922, 463],
  ] as const)
    expect([x, y, isRed(at(x, y))]).toEqual([x, y, true]);
  // Its corners are round.
  for (const [x, y] of [
    [725, 80],
    [1118, 80],
    [1118, 465],
    [725, 465],
  ] as const)
    expect([x, y, isRed(at(x, y))]).toEqual([x, y, false]);
  expect(isBlue(at(146, 414))).toBe(true);
  expect(isBlue(at(109, 377))).toBe(false);
  // The text ends before the picture, and the name starts after the portrait.
  expect(light(108, 100, 690, 350)).toBeGreaterThan(3_000);
  expect(light(186, 380, 201, 450)).toBe(0);
  expect(light(202, 380, 600, 450)).toBeGreaterThan(500);
});

test('without them words take the whole width, and the name begins at the left', async () => {
  const { at, light } = await drawn({ words: 'wide words '.repeat(30) });
  expect(light(730, 100, 1100, 350)).toBeGreaterThan(1_000);
  expect(light(108, 380, 200, 450)).toBeGreaterThan(100);
  expect([isRed(at(922, 273)), isBlue(at(146, 414))]).toEqual([false, false]);
});

test('an emoji is drawn in its colours', async () => {
  const { at } = await drawn({ words: '\u{1F34E}' });
  const reds = Array.from({ length: 60 * 60 }, (_, n) => at(108 + (n % 60), 100 + Math.floor(n / 60))).filter(
    ([r = 0, g = 0, b = 0]) => r > 180 && g < 90 && b < 90,
  );
  expect(reds.length).toBeGreaterThan(300);
});

test('words that no typeface here can set are left out, and the pictures stay', async () => {
  const { at, light } = await drawn({ words: '\u0645\u0631\u062d\u0628\u0627', picture: red, avatar: blue });
  expect([isRed(at(922, 273)), isBlue(at(146, 414))]).toEqual([true, true]);
  // Replacement glyphs.
  expect(light(108, 100, 690, 350)).toBeGreaterThan(1_000);
});

test('what cannot be read is left out, and said', async () => {
  const { at, unread } = await drawn({
    picture: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    avatar: blue,
  });
  expect(isBlue(at(146, 414))).toBe(true);
  expect(unread).toEqual([expect.stringMatching(/unsupported/)]);
});
