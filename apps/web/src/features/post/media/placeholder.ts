import { thumbHashToDataURL } from 'thumbhash';

/** A blurred picture of a few pixels as a `data:` address; null if the ThumbHash is invalid. */
export function placeholderOf(thumbhash: string | null): string | null {
  if (thumbhash === null) return null;
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)));
  } catch {
    return null;
  }
}
