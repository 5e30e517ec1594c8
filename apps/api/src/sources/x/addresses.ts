import { idOfLink, platformOf } from '@archive/contracts';
import type { NewReference } from '@archive/contracts/schemas';
import type { Target } from '../source.ts';

/** The post that a link names; null for any other link, also for a shortened one. */
export function targetOfLink(link: string): Target | null {
  const id = platformOf(link) === 'x' ? idOfLink(link) : null;
  if (id === null) return null;
  const [, handle = ''] = new URL(link).pathname.split('/');
  return targetOf(id, handle === 'i' ? undefined : handle);
}

/** Builds the target from a post id. The handle only makes the address readable. */
export function targetOf(id: string, handle?: string): Target {
  return { platform: 'x', id, address: id, url: `https://x.com/${handle ?? 'i/web'}/status/${id}` };
}

export function referenceTo(id: string, handle: string | undefined, state: NewReference['state']): NewReference {
  return { platform: 'x', id, url: targetOf(id, handle).url, state };
}

/** Compares ids numerically; they are too large for a number. */
export function compareIds(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}
