import { platformOf, type Reference } from '@archive/contracts';

/** The author's handle of an answered or quoted post: from the archived post, or else from its address. */
export function handleOf({ post, url }: Reference): string | null {
  if (post !== null) return post.authorUsername;
  const platform = platformOf(url);
  if (platform === 'other') return null;
  const [first, second] = new URL(url).pathname.split('/').filter(Boolean);
  const handle = platform === 'x' ? first : second;
  return handle === undefined || handle === 'i' || handle.startsWith('did:') ? null : handle;
}
