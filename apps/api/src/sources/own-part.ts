import * as bluesky from './bluesky/own-part.ts';
import type { Target } from './source.ts';
import * as x from './x/own-part.ts';

/**
 * Of what a platform answered, the part that is this post's own: what others wrote is not kept with it. Nothing where the
 * answer does not hold the post.
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
