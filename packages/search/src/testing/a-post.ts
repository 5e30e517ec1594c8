import { randomBytes } from 'node:crypto';
import { platformOf } from '@archive/contracts';
import type { NewPost } from '@archive/contracts/schemas';
import type { IndexedPost } from '../indexed-post.ts';

/** A post with default values; `told` overrides them. */
export function aPost(told: Partial<IndexedPost> = {}): IndexedPost {
  const at = told.at ?? Date.UTC(2026, 0, 1);
  return {
    oid: new Uint8Array(randomBytes(12)),
    at,
    content: 'words',
    author: 'Ada',
    handle: 'ada',
    category: null,
    media: [],
    platform: 'x',
    language: null,
    flags: [],
    thread: null,
    reactions: 0,
    savedAt: at,
    featuredAt: null,
    removed: false,
    changed: 0,
    ...told,
  };
}

/** A generated post as an engine receives it. */
export function indexed(post: NewPost, told: Partial<IndexedPost> = {}): IndexedPost {
  const { content, author, authorUsername: handle, category, timestamp, url, language, media } = post;
  return aPost({
    at: timestamp.getTime(),
    content,
    author,
    handle,
    category,
    media: (media ?? []).map(({ type }) => type),
    platform: platformOf(url),
    language: language ?? null,
    ...told,
  });
}
