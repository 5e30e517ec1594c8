import { expect, test } from '@jest/globals';
import type { IndexedPost } from '../indexed-post.ts';
import { documentOf } from './mapping.ts';

const POST: IndexedPost = {
  oid: new Uint8Array(12).fill(7),
  at: Date.UTC(2026, 0, 2),
  content: 'Crème brûlée',
  author: 'Ana',
  handle: 'ana',
  category: null,
  media: ['image'],
  platform: 'x',
  language: null,
  flags: ['link'],
  thread: null,
  reactions: 3,
  savedAt: Date.UTC(2026, 0, 3),
  featuredAt: null,
  removed: false,
  changed: 1,
};

// An index with other digests would be written again post by post. It must be built again instead: raise SCHEMA_VERSION.
test('makes the same digests in every release of a schema', () => {
  expect(documentOf(POST)).toMatchObject({ hash: 'fXDZ2RibxU_moO6N', words: 'ZFF__ZtNFmfqtoi2' });
});
