import type { Platform } from '@archive/contracts';

/** The address of the author's profile on a platform; null if the handle is not valid there. */
export function profileAddress(platform: Platform, handle: string): string | null {
  if (platform === 'x' && /^\w{1,15}$/.test(handle)) return `https://x.com/${handle}`;
  return platform === 'bluesky' && /^[\w-]+(?:\.[\w-]+)+$/.test(handle) ? `https://bsky.app/profile/${handle}` : null;
}
