import type { Post } from '@archive/contracts';
import { formatDay } from '../../lib/format.ts';

const SOURCE: Record<Post['source']['state'], string> = {
  live: 'live',
  edited: 'edited by its author',
  deleted: 'deleted by its author',
  protected: 'protected by its author',
  unknown: 'not looked at again',
};

/** The state of a post on its platform, and when it was checked. */
export function sourceWords({ state, checkedAt }: Post['source']): string {
  if (checkedAt === null || state === 'unknown') return SOURCE[state];
  const day = formatDay(checkedAt);
  return state === 'live' ? `last seen live ${day}` : `${SOURCE[state]}, seen ${day}`;
}

/** `3 of 3 kept`; null for a post without pictures. */
export function keptMedia(media: Post['media']): string | null {
  if (media.length === 0) return null;
  return `${media.filter(({ missing }) => !missing).length} of ${media.length} kept`;
}

/** `English`; an unknown tag is returned unchanged. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
