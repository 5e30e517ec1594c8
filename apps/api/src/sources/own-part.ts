import * as bluesky from './bluesky/own-part.ts';
import type { Target } from './source.ts';
import * as x from './x/own-part.ts';

/**
 * The part of a platform's answer that is about this post, so that other authors' text is not kept with it. Empty if
 * the answer does not contain the post.
 */
export function ownPartOf({ platform, address }: Pick<Target, 'platform' | 'address'>, raw: Uint8Array): Uint8Array {
  const find = platform === 'x' ? x.findOwnPart : bluesky.findOwnPart;
  return find(readJson(raw), address) ?? new Uint8Array();
}

function readJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(raw).toString());
  } catch {
    return null;
  }
}
