import type { Post, PostMedia } from '@archive/contracts';

const FILE = `/media/${'a'.repeat(64)}`;

/** A post as the API returns it, with these fields changed. */
export function shownPost(fields: Partial<Post> = {}): Post {
  return {
    _id: '0123456789abcdef01234567',
    id: '77',
    content: 'words',
    author: 'Ada Byron',
    authorUsername: 'ada',
    authorAvatar: null,
    category: 'tech',
    timestamp: '2026-01-02T03:04:05.000Z',
    url: 'https://x.com/ada/status/77',
    featured: false,
    featuredAt: null,
    featuredBy: null,
    payee: null,
    launched: false,
    reactions: { heart: 0, thumbsUp: 0, thumbsDown: 0 },
    metadata: {},
    platform: 'x',
    authorId: null,
    language: 'en',
    links: [],
    sensitive: false,
    media: [],
    replyTo: null,
    quoted: null,
    thread: null,
    source: { state: 'unknown', checkedAt: null },
    versions: [],
    savedAt: '2026-02-01T00:00:00.000Z',
    savedBy: { via: 'import' },
    capture: { method: 'import', complete: true, signed: false },
    ...fields,
  };
}

export function shownMedia(fields: Partial<PostMedia> = {}): PostMedia {
  return {
    type: 'image',
    url: FILE,
    preview: `${FILE}/preview`,
    sha256: 'a'.repeat(64),
    width: 100,
    height: 50,
    alt: null,
    durationMs: null,
    thumbhash: null,
    missing: false,
    ...fields,
  };
}
