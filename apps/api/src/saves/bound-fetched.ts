import { type Fetched, type FetchedPost, SourceTrouble } from '../sources/source.ts';

const MEBIBYTE = 1024 * 1024;
/** Above this size, the evidence of the other posts is dropped, so that the asked post can be saved. */
const BOUND_BYTES = 8 * MEBIBYTE;
/** Most bytes of evidence. A MongoDB document may have 16 MiB; the rest is for the posts themselves. */
const MOST_BYTES = 12 * MEBIBYTE;

/**
 * Reduces the fetched posts to what a request document can hold. If they are too large, it drops the raw answers of the
 * other posts, and then their signatures.
 *
 * @throws SourceTrouble where the asked post alone is too much
 */
export function boundFetched(fetched: Fetched): Fetched {
  let bounded = fetched;
  if (bytesOf(bounded) > BOUND_BYTES) {
    bounded = { ...bounded, others: bounded.others.map((other) => ({ ...other, raw: new Uint8Array() })) };
  }
  if (bytesOf(bounded) > BOUND_BYTES) {
    bounded = { ...bounded, others: bounded.others.map(({ signed: _, ...other }) => other) };
  }
  if (bytesOf(bounded) > MOST_BYTES) throw new SourceTrouble('the platform answered more than can be kept of a post');
  return bounded;
}

function bytesOf({ asked, others }: Fetched): number {
  return [asked, ...others].reduce((sum, post) => sum + evidenceBytes(post), 0);
}

export function evidenceBytes({ raw, signed }: FetchedPost): number {
  return raw.byteLength + (signed?.car.byteLength ?? 0);
}
