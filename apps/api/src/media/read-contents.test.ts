import { deflateSync } from 'node:zlib';
import { MEDIA_PREVIEW_BYTES } from '@archive/contracts';
import { aPicture, aVideo, box } from '@archive/testing/media';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import sharp from 'sharp';
import { thumbHashToApproximateAspectRatio } from 'thumbhash';
import type { MediaContents } from './media-contents.ts';
import { readContents } from './read-contents.ts';

async function readable(bytes: Buffer): Promise<MediaContents> {
  const contents = await readContents(bytes);
  if (typeof contents === 'string') throw new Error(contents);
  return contents;
}

describe('a picture', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('of kind %s is known by its bytes', async (format) => {
    const { preview, thumbhash, ...contents } = await readable(await aPicture({ width: 900, height: 600, format }));
    expect(contents).toEqual({ type: `image/${format}`, width: 900, height: 600, durationMs: null });
    const small = await sharp(preview as Buffer).metadata();
    expect([small.format, small.width, small.height, small.pages]).toEqual(['webp', 680, 453, undefined]);
    expect(thumbHashToApproximateAspectRatio(Buffer.from(thumbhash as string, 'base64'))).toBeCloseTo(1.5, 0);
  });

  it('that is small has a preview no larger than itself', async () => {
    const { preview } = await readable(await aPicture({ width: 40, height: 30 }));
    expect(await sharp(preview as Buffer).metadata()).toMatchObject({ width: 40, height: 30 });
  });

  it('full of noise has a preview within its bytes all the same, and a long strip one of bounded height', async () => {
    const { preview } = await readable(await aPicture({ width: 1_000, height: 3_500, isNoise: true }));
    expect(preview?.length).toBeLessThanOrEqual(MEDIA_PREVIEW_BYTES);
    const strip = await readable(await aPicture({ width: 100, height: 12_000 }));
    expect((await sharp(strip.preview as Buffer).metadata()).height).toBe(2_040);
  });

  it('that lies on its side is turned, in its size and its preview', async () => {
    const contents = await readable(await aPicture({ width: 800, height: 200, orientation: 6 }));
    expect(contents).toMatchObject({ width: 200, height: 800 });
    const small = await sharp(contents.preview as Buffer).metadata();
    expect([small.width, small.height, small.orientation]).toEqual([200, 800, undefined]);
  });

  it('that moves is previewed by its first frame', async () => {
    const contents = await readable(await aPicture({ width: 120, height: 80, format: 'gif', frames: 3 }));
    expect(contents).toMatchObject({ type: 'image/gif', width: 120, height: 80 });
    expect(await sharp(contents.preview as Buffer).metadata()).toMatchObject({ width: 120, height: 80 });
  });

  it('is not taken where it was cut', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const bytes = await aPicture({ width: 600, height: 600, format, isNoise: true });
      const refusal = await readContents(bytes.subarray(0, bytes.length / 2));
      // A WebP file states its length at its start.
      expect([format, refusal]).toEqual([format, format === 'webp' ? 'not_media' : 'damaged']);
    }
  });

  it('is not taken where it claims more pixels than any has, however few bytes it is', async () => {
    expect(await readContents(bomb(60_000, 60_000))).toBe('too_many_pixels');
    expect(await readContents(bomb(10_000, 5_001))).toBe('too_many_pixels');
    const large = await readContents(bomb(10_000, 5_000));
    expect(large).toBe('damaged');
  });
});

it.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
  ['SVG with a head', '<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['PDF', '%PDF-1.7\n1 0 obj\n<<>>\nendobj'],
  ['text', 'hello'],
  ['nothing', ''],
  ['a GIF in name alone', 'GIF89a<script>alert(1)</script>'],
])('%s is no media', async (_, text) => {
  expect(await readContents(Buffer.from(text))).toMatch(/^(not_media|damaged)$/);
});

it('a kind of picture that is not shown is no media', async () => {
  expect(await readContents(await aPicture({ format: 'tiff' }))).toBe('not_media');
});

describe('a video', () => {
  it('tells its size and length', async () => {
    expect(await readable(aVideo({ width: 1280, height: 720, durationMs: 61_500 }))).toEqual({
      type: 'video/mp4',
      width: 1280,
      height: 720,
      durationMs: 61_500,
      thumbhash: null,
      preview: null,
    });
  });

  it('that was filmed upright is as high as it is shown', async () => {
    expect(await readable(aVideo({ isTurned: true }))).toMatchObject({ width: 360, height: 640 });
  });

  it('that does not tell its length has none, and one in fragments tells it elsewhere', async () => {
    expect(await readable(aVideo({ durationMs: 0 }))).toMatchObject({ durationMs: null });
    expect(await readable(aVideo({ durationMs: 0xffffffff }))).toMatchObject({ durationMs: null });
    const whole = aVideo({ durationMs: 0 });
    const length = Buffer.alloc(8);
    length.writeUInt32BE(7_000, 4);
    const at = whole.indexOf('moov') - 4;
    const moov = whole.subarray(at + 8, at + whole.readUInt32BE(at));
    const fragmented = Buffer.concat([
      whole.subarray(0, at),
      box('moov', moov, box('mvex', box('mehd', length))),
      box('moof'),
    ]);
    expect(await readable(fragmented)).toMatchObject({ durationMs: 7_000 });
  });

  it.each<[string, () => Buffer, string]>([
    ['with sound alone', () => aVideo({ tracks: ['soun'] }), 'not_media'],
    ['of QuickTime', () => aVideo({ brand: 'qt  ' }).fill('qt  ', 20, 24), 'not_media'],
    ['without a size', () => aVideo({ width: 0 }), 'damaged'],
    ['that is cut', () => aVideo().subarray(0, -1), 'damaged'],
    ['cut in its head', () => aVideo().subarray(0, 100), 'damaged'],
    ['without its pictures', () => aVideo().subarray(0, aVideo().indexOf('mdat') - 4), 'damaged'],
    ['of a beginning alone', () => box('ftyp', Buffer.from('isom\0\0\x02\0isom')), 'damaged'],
    ['far too wide', () => aVideo({ width: 20_000 }), 'too_many_pixels'],
    ['whose box is longer than the file', () => longer(), 'damaged'],
    [
      'of endless little boxes',
      () => Buffer.concat([aVideo(), ...Array.from({ length: 30_000 }, () => box('free'))]),
      'damaged',
    ],
  ])('%s is not taken', async (_, make, refusal) => {
    expect(await readContents(make())).toBe(refusal);
  });

  it('whose bytes are changed is read or refused, and breaks nothing', async () => {
    const whole = aVideo({ mediaBytes: 16 });
    const change = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(change, fc.nat(whole.length), async (changes, length) => {
        const bytes = Buffer.from(whole.subarray(0, length));
        for (const [at, value] of changes) if (at < length) bytes[at] = value;
        const contents = await readContents(bytes);
        if (typeof contents !== 'string') expect(contents.width * contents.height).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});

/** A PNG of a few bytes that claims to have this many pixels. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const bytes = Buffer.alloc(named.length + 8);
    bytes.writeUInt32BE(data.length, 0);
    named.copy(bytes, 4);
    bytes.writeUInt32BE(crc(named), named.length + 4);
    return bytes;
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc(bytes: Buffer): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return (rest ^ 0xffffffff) >>> 0;
}

function longer(): Buffer {
  const bytes = aVideo();
  bytes.writeUInt32BE(bytes.length, bytes.indexOf('moov') - 4);
  return bytes;
}
