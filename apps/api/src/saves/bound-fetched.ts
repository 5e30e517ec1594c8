import { type Fetched, type FetchedPost, SourceTrouble } from '../sources/source.ts';

const MEBIBYTE = 1024 * 1024;
/** From here on the evidence of what belongs to a post is let go of, so that the post itself can be saved. */
const BOUND_BYTES = 8 * MEBIBYTE;
/** The database takes documents of up to 16 MiB, of which the posts themselves are the rest. */
const MOST_BYTES = 12 * MEBIBYTE;

/**
 * What was fetched, as much of it as a request can hold: where it is too much, without what came of the other posts byte
 * for byte, then without their signatures.
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
