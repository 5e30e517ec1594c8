import { PRODUCT_NAME } from '@archive/contracts';
import { Resvg } from '@resvg/resvg-js';
import satori, { type Font } from 'satori';
import sharp from 'sharp';
import { CARD_HEIGHT, CARD_WIDTH, type Card } from './card.ts';
import { box, drawGround } from './draw-ground.ts';
import { emojiPicture, OWN_FACE, POST_FACE, readFonts } from './letters.ts';

const PICTURE = { left: 724, top: 79, width: 396, height: 388 };
const AVATAR = { left: 108, top: 376, width: 76, height: 76 };
const ROUNDED = maskOf(PICTURE, rounded(PICTURE));
const PEBBLE = maskOf(
  AVATAR,
  'M37.4 3.2C50.3 3.6 60.6 13 61.3 25.7 62.1 40.6 50.4 60.9 31.3 60.8 15.2 60.7 3.6 50.7 2.8 36.9 1.9 20.5 18.6 2.6 37.4 3.2Z',
  '2.5 3 59 58',
);
const WORDS = { left: 108, top: 101, right: 92, beside: 512, height: 256 };
const INK = { words: '#fdf4de', soft: '#faedcf' };

/** For each text size, the characters in a line and the lines that fit, and the limits with and without a picture. */
const SIZES = [
  { size: 46, line: 60, lines: 4, beside: 105, alone: 165 },
  { size: 36, line: 49, lines: 5, beside: 165, alone: 270 },
  { size: 29, line: 41, lines: 6, beside: Number.POSITIVE_INFINITY, alone: Number.POSITIVE_INFINITY },
];

/** Draws share pictures, 1200 by 630 pixels. The common ground is drawn once. */
export class CardArtist {
  readonly #fonts = readFonts();
  #ground: Promise<Buffer> | undefined;

  /**
   * The picture as PNG. Text with a letter that no typeface contains is left out. `unread` says why the post's picture
   * or its author's could not be read.
   */
  async draw(card: Card): Promise<{ png: Buffer; unread: string[] }> {
    const unread: string[] = [];
    const cutOrSay = (bytes: Uint8Array | null, place: Place, shape: Mask) =>
      bytes &&
      cut(bytes, place, shape).catch((error: Error) => {
        unread.push(error.message);
        return null;
      });
    this.#ground ??= drawGround(this.#fonts);
    const pixels = Buffer.from(await this.#ground);
    const [words, picture, avatar] = await Promise.all([
      setCard(card, this.#fonts),
      cutOrSay(card.picture, PICTURE, ROUNDED),
      cutOrSay(card.avatar, AVATAR, PEBBLE),
    ]);
    if (picture) lay(pixels, picture, PICTURE);
    if (avatar) lay(pixels, avatar, AVATAR);
    lay(pixels, words, { left: 0, top: 0, width: CARD_WIDTH, height: CARD_HEIGHT });
    const raw = { width: CARD_WIDTH, height: CARD_HEIGHT, channels: 3 as const };
    return { png: await sharp(pixels, { raw }).png({ compressionLevel: 4 }).toBuffer(), unread };
  }
}

/** The text of a card, as RGBA pixels. */
async function setCard(card: Card, fonts: Font[]): Promise<Buffer> {
  const nameless = { ...card, author: `@${card.handle}`, handle: '' };
  const nobody = { ...card, author: PRODUCT_NAME, handle: '' };
  const shown = [card, nameless, nobody];
  // If something cannot be set, as little as possible is left out: the name first, then the handle, then the text.
  for (const one of [...shown, ...shown.map((other) => ({ ...other, words: null }))]) {
    let isWhole = true;
    const svg = await satori(layOut(one), {
      width: CARD_WIDTH,
      height: CARD_HEIGHT,
      fonts,
      // Called for characters that no typeface contains.
      loadAdditionalAsset: async (kind, segment) => {
        const drawn = kind === 'emoji' ? emojiPicture(segment) : null;
        if (!drawn) isWhole = false;
        return drawn ?? [];
      },
    });
    if (isWhole) return Buffer.from(new Resvg(svg, { font: { loadSystemFonts: false } }).render().pixels);
  }
  throw new Error('the name of the product cannot be set');
}

function layOut({ words, author, handle, date, avatar, picture }: Card) {
  const said = words ?? 'A post to be read here';
  const size = SIZES.find(({ beside, alone }) => said.length <= (picture ? beside : alone)) ?? SIZES[2];
  const absolute = { display: 'flex', position: 'absolute' } as const;
  const start = avatar ? 202 : WORDS.left;
  const width = (picture ? CARD_WIDTH - WORDS.beside : CARD_WIDTH - WORDS.right) - start;
  const line = { ...absolute, left: start, width, whiteSpace: 'nowrap', overflow: 'hidden', fontFamily: OWN_FACE };
  return box({ display: 'flex', width: CARD_WIDTH, height: CARD_HEIGHT }, [
    box(
      {
        position: 'absolute',
        left: WORDS.left,
        top: WORDS.top,
        width: CARD_WIDTH - WORDS.left - (picture ? WORDS.beside : WORDS.right),
        display: 'block',
        lineClamp: size?.lines ?? 1,
        whiteSpace: 'pre-line',
        wordBreak: 'break-word',
        fontFamily: words === null ? OWN_FACE : POST_FACE,
        fontSize: size?.size ?? 0,
        lineHeight: `${size?.line}px`,
        color: INK.words,
      },
      said,
    ),
    box({ ...line, top: 382, fontSize: 26, fontWeight: 600, lineHeight: '34px', color: INK.words }, author),
    box(
      { ...line, top: 418, fontSize: 21, lineHeight: '28px', color: INK.soft },
      [handle === '' ? '' : `@${handle}`, date].filter((part) => part !== '').join(' · '),
    ),
  ]);
}

interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Mask {
  input: Buffer;
  raw: { width: number; height: number; channels: 4 };
}

/** Crops a picture to its place and shape. Rejects if it cannot be read. */
async function cut(bytes: Uint8Array, { width, height }: Place, shape: Mask): Promise<Buffer> {
  const fitted = sharp(bytes, { limitInputPixels: 4_000_000 }).resize(width, height, { fit: 'cover' }).ensureAlpha();
  const shaped = fitted.composite([{ ...shape, blend: 'dest-in' }]);
  return premultiplied(await shaped.raw().toBuffer());
}

/** As pixels, because the picture library here reads no SVG. */
function maskOf({ width, height }: Place, path: string, viewBox = `0 0 ${width} ${height}`): Mask {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}"><path d="${path}"/></svg>`;
  return { input: Buffer.from(new Resvg(svg).render().pixels), raw: { width, height, channels: 4 } };
}

function rounded({ width, height }: Place): string {
  const [a, b, c, d] = [26, 40, 34, 30];
  return `M${a} 0H${width - b}A${b} ${b} 0 0 1 ${width} ${b}V${height - c}A${c} ${c} 0 0 1 ${width - c} ${height}H${d}A${d} ${d} 0 0 1 0 ${height - d}V${a}A${a} ${a} 0 0 1 ${a} 0Z`;
}

function premultiplied(pixels: Buffer): Buffer {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] as number;
    if (alpha === 255) continue;
    for (let part = at; part < at + 3; part++) pixels[part] = ((pixels[part] as number) * alpha) / 255;
  }
  return pixels;
}

/** Blends premultiplied RGBA pixels over opaque ones. */
function lay(ground: Buffer, over: Buffer, { left, top, width, height }: Place): void {
  let from = 0;
  for (let y = 0; y < height; y++) {
    let to = ((top + y) * CARD_WIDTH + left) * 3;
    for (let x = 0; x < width; x++, from += 4, to += 3) {
      const alpha = over[from + 3] as number;
      if (alpha === 0) continue;
      const rest = 255 - alpha;
      ground[to] = (over[from] as number) + ((ground[to] as number) * rest) / 255;
      ground[to + 1] = (over[from + 1] as number) + ((ground[to + 1] as number) * rest) / 255;
      ground[to + 2] = (over[from + 2] as number) + ((ground[to + 2] as number) * rest) / 255;
    }
  }
}
