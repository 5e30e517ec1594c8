import type { ContentsRefusal, MediaContents } from './media-contents.ts';

/** Brands of MP4 files that browsers play; plain QuickTime (`qt  `) is not among them. */
const BRAND = /^(iso[m1-9a-c]|mp4[12]|avc1|M4V |dash|MSNV|3gp[4-9])$/;
/** A fragmented video of two minutes has some hundreds of boxes. */
const MOST_BOXES = 20_000;
const LONGEST_SIDE = 16_384;
const LONGEST_MS = 24 * 60 * 60_000;
/** Value of an unknown duration in ISO/IEC 14496-12. */
const UNKNOWN = [0xffffffff, 0xffffffffffffffffn];

interface Box {
  type: string;
  /** The content of the box. */
  bytes: Buffer;
}

class Damaged extends Error {}

/** Whether the bytes begin like an MP4. Pictures that begin so have other brands. */
export function isVideo(bytes: Buffer): boolean {
  return (
    bytes.length >= 16 &&
    bytes.toString('latin1', 4, 8) === 'ftyp' &&
    !/^(avi[fs]|mif1|msf1|hei)/.test(bytes.toString('latin1', 8, 12))
  );
}

/** Size and duration of an MP4 from its boxes; nothing is decoded. */
export function readVideo(bytes: Buffer): MediaContents | ContentsRefusal {
  try {
    const all = boxes(bytes, { isWholeFile: true });
    if (!brandsOf(all[0]).some((brand) => BRAND.test(brand))) return 'not_media';
    const movie = boxes(content(all, 'moov'));
    const picture = movie
      .filter(({ type }) => type === 'trak')
      .map(({ bytes }) => boxes(bytes))
      .find(isPicture);
    if (!picture) return 'not_media';
    content(all, all.some(({ type }) => type === 'moof') ? 'moof' : 'mdat');
    const { width, height } = sizeOf(content(picture, 'tkhd'));
    if (Math.max(width, height) > LONGEST_SIDE) return 'too_many_pixels';
    if (Math.min(width, height) < 1) return 'damaged';
    return { type: 'video/mp4', width, height, durationMs: durationOf(movie), thumbhash: null, preview: null };
  } catch (error) {
    if (error instanceof Damaged || error instanceof RangeError) return 'damaged';
    throw error;
  }
}

/** The boxes in these bytes. A length beyond the end means a damaged file. */
function boxes(bytes: Buffer, { isWholeFile = false } = {}): Box[] {
  const found: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const head = short === 1 ? 16 : 8;
    // The last box of a file may extend to its end.
    const length =
      short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 && isWholeFile ? bytes.length - at : short;
    if (length < head || at + length > bytes.length || found.length >= MOST_BOXES) throw new Damaged();
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), bytes: bytes.subarray(at + head, at + length) });
    at += length;
  }
  return found;
}

function content(all: readonly Box[], type: string): Buffer {
  const found = all.find((one) => one.type === type);
  if (!found) throw new Damaged();
  return found.bytes;
}

/** The major brand and the compatible ones; the version between them is skipped. */
function brandsOf(first: Box | undefined): string[] {
  const text = first?.bytes.toString('latin1', 0, 400) ?? '';
  return (text.match(/[\s\S]{4}/g) ?? []).filter((_, index) => index !== 1);
}

function isPicture(track: readonly Box[]): boolean {
  return content(boxes(content(track, 'mdia')), 'hdlr').toString('latin1', 8, 12) === 'vide';
}

/** The size as shown: an upright video is stored lying, with a rotation. */
function sizeOf(header: Buffer): { width: number; height: number } {
  const matrix = header.readUInt8(0) === 1 ? 52 : 40;
  const isTurned = header.readInt32BE(matrix) === 0 && header.readInt32BE(matrix + 16) === 0;
  const width = header.readUInt16BE(matrix + 36);
  const height = header.readUInt16BE(matrix + 40);
  return isTurned ? { width: height, height: width } : { width, height };
}

/** In milliseconds. A fragmented video states it elsewhere, or not at all. */
function durationOf(movie: readonly Box[]): number | null {
  const header = content(movie, 'mvhd');
  const isLong = header.readUInt8(0) === 1;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const given = isLong ? header.readBigUInt64BE(24) : header.readUInt32BE(16);
  const duration = UNKNOWN.includes(given) || Number(given) === 0 ? fragmentedDuration(movie) : Number(given);
  const ms = Math.round((duration * 1_000) / scale);
  return ms > 0 && ms <= LONGEST_MS ? ms : null;
}

function fragmentedDuration(movie: readonly Box[]): number {
  const fragments = movie.find(({ type }) => type === 'mvex');
  const header = fragments && boxes(fragments.bytes).find(({ type }) => type === 'mehd');
  if (!header) return 0;
  return header.bytes.readUInt8(0) === 1 ? Number(header.bytes.readBigUInt64BE(4)) : header.bytes.readUInt32BE(4);
}
