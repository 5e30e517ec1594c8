import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { GLYPH_HEIGHT, GLYPH_WIDTH, isFilled } from './bitmap-font.ts';

const SIZE = 512;
const DISC_RADIUS = 240;
/** The letters stay within the disc. */
const TEXT_WIDTH = 368;
const MAX_CELL = 40;
const LETTERS_IN_LINE = 4;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Palette: what is around, the disc, the letters. */
const AROUND = 0;
const DISC = 1;
const LETTER = 2;

/**
 * A token's picture: its symbol on a disc of an amber that the mint chooses. A PNG of 512 by 512, since many wallets show
 * no SVG; the same for the same symbol and mint, so that it need not be kept.
 */
export function drawTokenImage(symbol: string, mint: string): Buffer {
  const lines =
    symbol.length <= LETTERS_IN_LINE
      ? [symbol]
      : [symbol.slice(0, Math.ceil(symbol.length / 2)), symbol.slice(Math.ceil(symbol.length / 2))];
  const columns = Math.max(...lines.map((line) => line.length)) * (GLYPH_WIDTH + 1) - 1;
  const cell = Math.min(MAX_CELL, Math.floor(TEXT_WIDTH / columns));
  const rows = lines.length * (GLYPH_HEIGHT + 2) - 2;
  const top = Math.floor((SIZE - rows * cell) / 2);
  const pixels = Buffer.alloc(SIZE * SIZE, AROUND);
  // Whole runs at a time: anybody may ask for pictures, and pixel by pixel one takes seven times as long.
  for (let y = 0; y < SIZE; y++) {
    const reach = DISC_RADIUS ** 2 - (y - SIZE / 2) ** 2;
    if (reach < 0) continue;
    const left = Math.ceil(SIZE / 2 - Math.sqrt(reach));
    const right = Math.floor(SIZE / 2 + Math.sqrt(reach)) + 1;
    pixels.fill(DISC, y * SIZE + left, y * SIZE + right);
    const line = Math.floor((y - top) / (cell * (GLYPH_HEIGHT + 2)));
    const row = Math.floor((y - top) / cell) - line * (GLYPH_HEIGHT + 2);
    for (const x of filledCells(lines[line] ?? '', row, cell)) {
      pixels.fill(LETTER, y * SIZE + Math.max(left, x), y * SIZE + Math.min(right, x + cell));
    }
  }
  return encodePng(pixels, palette(mint));
}

/** Where each filled cell of a line's row begins. */
function filledCells(line: string, row: number, cell: number): number[] {
  const columns = line.length * (GLYPH_WIDTH + 1) - 1;
  const start = Math.floor((SIZE - columns * cell) / 2);
  return Array.from({ length: Math.max(0, columns) }, (_, column) => column)
    .filter((column) =>
      isFilled(line[Math.floor(column / (GLYPH_WIDTH + 1))] as string, column % (GLYPH_WIDTH + 1), row),
    )
    .map((column) => start + column * cell);
}

/** Red, green and blue of each colour: the disc between orange and yellow. */
function palette(mint: string): Buffer {
  const shade = (createHash('sha256').update(mint).digest()[0] as number) / 255;
  const mix = (from: number, to: number) => Math.round(from + (to - from) * shade);
  return Buffer.from([0x16, 0x11, 0x0b, mix(0xe0, 0xf2), mix(0x6a, 0xb8), mix(0x1c, 0x3a), 0x2a, 0x17, 0x06]);
}

/** One byte per pixel, an index into the palette. Source: PNG specification, third edition. */
function encodePng(pixels: Buffer, colours: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits, palette, deflate, no filters of other kinds, not interlaced
  const rows = Buffer.alloc(SIZE * (SIZE + 1));
  for (let y = 0; y < SIZE; y++) pixels.copy(rows, y * (SIZE + 1) + 1, y * SIZE, (y + 1) * SIZE);
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
