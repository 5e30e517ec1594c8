import { expect, test } from '@jest/globals';
import { aPost } from '../testing/a-post.ts';
import { deriveRow, POST_TABLE, searchFields } from './post-table.ts';

const post = aPost({
  at: Date.UTC(2026, 2, 4, 5, 6, 7, 8),
  content: 'Cafe\u0301 ΟΔΟΣ',
  author: 'Ada L.',
  handle: 'Ada_L',
  category: 'tech',
  media: ['gif', 'video'],
  platform: 'bluesky',
  language: 'pt-BR',
  flags: ['quote', 'launched'],
  thread: 'root',
  reactions: 3,
  savedAt: Date.UTC(2026, 4, 6, 7, 8, 9, 10),
});

test('the table is the one that index files of before were made with', () => {
  expect(POST_TABLE).toBe(
    'CREATE TABLE post (rank INTEGER PRIMARY KEY, oid BLOB NOT NULL, at INTEGER NOT NULL, category INTEGER NOT NULL, traits INTEGER NOT NULL, saved_at INTEGER NOT NULL, reactions INTEGER NOT NULL, thread TEXT, author INTEGER NOT NULL, author_key TEXT NOT NULL, names TEXT NOT NULL, content_key TEXT, content TEXT NOT NULL);',
  );
});

test('a row is derived from a post as the index file has always held it', () => {
  const { columns, handle } = deriveRow(post);
  expect([columns, handle]).toEqual([
    {
      at: 1_772_600_767_008,
      category: 7,
      traits: 420_171,
      saved_at: 1_778_051_289_010,
      reactions: 3,
      thread: 'root',
      author_key: 'ada l.',
      names: 'ada l.\u0001ada_l',
      content_key: 'cafe\u0301 οδος',
      content: 'cafe οδος',
    },
    'ada_l',
  ]);
  expect(searchFields(columns)).toEqual([
    'cafe οδος\u0002\u0002',
    'ada l.\u0002\u0002',
    'ada_l\u0002\u0002',
    '\u0001\u00017',
    '\u0001\u0001\u{20003}',
    '\u0001\u0001\u{20008}',
    '\u0001\u0001\u{2039a}',
    '\u0001\u0001\u{20101}\u0001\u0001\u{20103}',
  ]);
});

test('a post without category stands after every category, and text that folding leaves alone is kept once', () => {
  const { columns } = deriveRow({ ...post, category: null, content: 'Plain' });
  expect(columns).toMatchObject({ category: 9, content_key: null, content: 'plain' });
  expect(searchFields(columns)[3]).toBe('\u0001\u00019');
});
