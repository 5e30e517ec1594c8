import sharp from 'sharp';

let serial = 0;

export interface PictureOptions {
  width?: number;
  height?: number;
  format?: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff';
  /** Random pixels, so that the file is as large as possible for its dimensions. */
  isNoise?: boolean;
  /** The EXIF orientation, 1 to 8. */
  orientation?: number;
  /** Pictures in one file, for `gif` and `webp`. */
  frames?: number;
}

/** The bytes of a valid picture, different at each call: a colour gradient, or noise. */
export async function aPicture({
  width = 64,
  height = 48,
  format = 'jpeg',
  isNoise = false,
  orientation,
  frames = 1,
}: PictureOptions = {}): Promise<Buffer> {
  serial++;
  const pixels = Buffer.alloc(width * height * frames * 3);
  let chance = (serial * 2_654_435_761) % 2 ** 32;
  for (let at = 0; at < pixels.length; at += 3) {
    if (isNoise) {
      // xorshift, because a picture from `Math.random` could not be reproduced.
      chance ^= chance << 13;
      chance ^= chance >>> 17;
      chance ^= chance << 5;
      pixels.writeUIntBE(chance >>> 8, at, 3);
    } else {
      const x = (at / 3) % width;
      const y = Math.floor(at / 3 / width);
      pixels[at] = (x * 255) / width;
      pixels[at + 1] = ((y % height) * 255) / height;
      pixels[at + 2] = serial * 37 + Math.floor(y / height) * 80;
    }
  }
  // Two pictures with equal bytes after encoding would be one file.
  pixels.writeUIntBE(serial % 2 ** 24, 0, 3);
  const raw = { width, height: height * frames, channels: 3 as const, ...(frames > 1 ? { pageHeight: height } : {}) };
  let picture = sharp(pixels, { raw }).toFormat(format, format === 'png' || format === 'gif' ? {} : { quality: 90 });
  picture = picture.withExif({ IFD0: { ImageDescription: `picture ${serial}` } });
  return (orientation ? picture.withMetadata({ orientation }) : picture).toBuffer();
}

export interface VideoOptions {
  width?: number;
  height?: number;
  durationMs?: number;
  /** Number of bytes of picture and sound data, which no player could play. */
  mediaBytes?: number;
  brand?: string;
  /** Recorded upright: players rotate it by a quarter turn. */
  isTurned?: boolean;
  /** Types of the tracks: `vide`, `soun`. */
  tracks?: readonly string[];
}

/** The bytes of an MP4 with valid boxes, different at each call: `ftyp`, `moov` and `mdat` (ISO/IEC 14496-12). */
export function aVideo({
  width = 640,
  height = 360,
  durationMs = 12_000,
  mediaBytes = 1_000,
  brand = 'isom',
  isTurned = false,
  tracks = ['soun', 'vide'],
}: VideoOptions = {}): Buffer {
  serial++;
  const media = Buffer.alloc(mediaBytes, serial % 256);
  media.writeUInt32BE(serial);
  const traks = tracks.map((kind, index) => {
    const size: [number, number] = kind === 'vide' ? [width, height] : [0, 0];
    return box('trak', trackHeader(index + 1, durationMs, size, isTurned), box('mdia', handler(kind)));
  });
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\x02\0${brand}mp41`, 'latin1')),
    box('moov', movieHeader(durationMs), ...traks),
    box('mdat', media),
  ]);
}

/** One box of an MP4: its length, its type of four letters, and its content. */
export function box(type: string, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(8), ...content]);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

const AS_IT_IS = [1, 0, 0, 1];
const A_QUARTER = [0, 1, -1, 0];

/** Times in milliseconds. */
function movieHeader(durationMs: number): Buffer {
  const bytes = Buffer.alloc(100);
  bytes.writeUInt32BE(1_000, 12);
  bytes.writeUInt32BE(durationMs, 16);
  return box('mvhd', bytes);
}

function trackHeader(id: number, durationMs: number, [width, height]: [number, number], isTurned: boolean): Buffer {
  const bytes = Buffer.alloc(84);
  bytes.writeUInt32BE(id, 12);
  bytes.writeUInt32BE(durationMs, 20);
  const [a = 0, b = 0, c = 0, d = 0] = isTurned ? A_QUARTER : AS_IT_IS;
  for (const [value, at] of [
    [a, 40],
    [b, 44],
    [c, 52],
    [d, 56],
  ] as const)
    bytes.writeInt32BE(value * 0x10000, at);
  bytes.writeUInt32BE(0x40000000, 72);
  bytes.writeUInt32BE(width * 0x10000, 76);
  bytes.writeUInt32BE(height * 0x10000, 80);
  return box('tkhd', bytes);
}

function handler(kind: string): Buffer {
  const bytes = Buffer.alloc(25);
  bytes.write(kind, 8, 'latin1');
  return box('hdlr', bytes);
}
