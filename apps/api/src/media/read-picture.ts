import { MEDIA_PREVIEW_BYTES, MEDIA_PREVIEW_WIDTH, PICTURE_PIXELS, type PictureType } from '@archive/contracts';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { ContentsRefusal, MediaContents } from './media-contents.ts';

/** Seconds for a picture of 50 million pixels on a busy machine. */
const SECONDS = 20;
/** Height limit, so that a very tall picture is still one preview. */
const PREVIEW_HEIGHT = MEDIA_PREVIEW_WIDTH * 3;
const QUALITIES = [75, 60, 45, 30, 15];
/** Factor that reduces the preview if the lowest quality is still too large. */
const SHRINK = 0.7;
const THUMBHASH_SIDE = 100;

// Only these formats are decoded. SVG is a program, and the others are not shown.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});
// One picture at a time, on one thread, so that requests are answered meanwhile.
sharp.concurrency(1);
sharp.cache(false);

const TYPES: Partial<Record<string, PictureType>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};

interface Frame {
  data: Buffer;
  raw: { width: number; height: number; channels: 4 };
}

/** Reads a picture and makes its preview. All pixels are decoded, which reveals damaged files. */
export function readPicture(bytes: Buffer): Promise<MediaContents | ContentsRefusal> {
  return inTurn(() => read(bytes));
}

async function read(bytes: Buffer): Promise<MediaContents | ContentsRefusal> {
  if (bytes.length === 0) return 'not_media';
  const picture = sharp(bytes, { limitInputPixels: PICTURE_PIXELS, failOn: 'error' });
  const metadata = await picture.metadata().catch((error: Error) => refusalOf(error, 'not_media'));
  if (typeof metadata === 'string') return metadata;
  const type = typeOf(metadata);
  if (!type) return 'not_media';
  if (metadata.width * metadata.height > PICTURE_PIXELS) return 'too_many_pixels';
  const frame = await decode(picture).catch((error: Error) => refusalOf(error, 'damaged'));
  if (typeof frame === 'string') return frame;
  const { width, height } = metadata.autoOrient;
  return { type, width, height, durationMs: null, thumbhash: await hash(frame), preview: await pack(frame) };
}

function refusalOf(error: Error, otherwise: ContentsRefusal): ContentsRefusal {
  return /pixel limit/.test(error.message) ? 'too_many_pixels' : otherwise;
}

function typeOf({ format, compression }: Metadata): PictureType | undefined {
  return format === 'heif' && compression === 'av1' ? 'image/avif' : TYPES[format];
}

/** The first frame, upright, in the size of a preview. */
async function decode(picture: Sharp): Promise<Frame> {
  const { data, info } = await picture
    .autoOrient()
    .resize({ width: MEDIA_PREVIEW_WIDTH, height: PREVIEW_HEIGHT, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .timeout({ seconds: SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: 4 } };
}

async function pack({ data, raw }: Frame): Promise<Buffer> {
  for (let width = raw.width; ; width = Math.max(1, Math.floor(width * SHRINK))) {
    for (const quality of QUALITIES) {
      const packed = await sharp(data, { raw }).resize({ width }).webp({ quality }).toBuffer();
      if (packed.length <= MEDIA_PREVIEW_BYTES) return packed;
    }
  }
}

async function hash({ data, raw }: Frame): Promise<string> {
  const small = sharp(data, { raw }).resize({ width: THUMBHASH_SIDE, height: THUMBHASH_SIDE, fit: 'inside' }).raw();
  const { data: pixels, info } = await small.toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, pixels)).toString('base64');
}

let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}
