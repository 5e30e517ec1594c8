import type { Platform } from '@archive/contracts';

/** The author's page at a platform, as their handle names it; null where it cannot be one there. */
export function profileAddress(platform: Platform, handle: string): string | null {
  if (platform === 'x' && /^\w{1,15}$/.test(handle)) return `https://x.com/${handle}`;
  return platform === 'bluesky' && /^[\w-]+(?:\.[\w-]+)+$/.test(handle) ? `https://bsky.app/profile/${handle}` : null;
}
