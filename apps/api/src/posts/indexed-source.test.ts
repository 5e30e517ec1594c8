import { deriveRow, searchFields } from '@archive/search/sqlite/post-table';
import { expect, test } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { type IndexSource, toIndexedPost } from './indexed-source.ts';

const post: IndexSource = {
  _id: new ObjectId('656565656565656565656565'),
  content: 'Cafe\u0301 ΟΔΟΣ',
  author: 'Ada L.',
  authorUsername: 'Ada_L',
  category: 'tech',
  timestamp: new Date('2026-03-04T05:06:07.008Z'),
  url: 'https://bsky.app/profile/ada.example/post/3l6oveex3ii2l',
  media: [{ type: 'gif' }, { type: 'video' }],
  language: 'pt-BR',
  createdAt: new Date('2026-05-06T07:08:09.010Z'),
  featuredAt: null,
  quoted: { platform: 'x' },
  launched: true,
  threadRoot: 'root',
  reactions: 3,
};

test('a row is derived from a post as the index file has always held it', () => {
  expect(deriveRow(toIndexedPost(post))).toEqual({
    columns: {
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
    handle: 'ada_l',
  });
  expect(searchFields(deriveRow(toIndexedPost(post)).columns)).toEqual([
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
  const { columns } = deriveRow(toIndexedPost({ ...post, category: null, content: 'Plain' }));
  expect(columns).toMatchObject({ category: 9, content_key: null, content: 'plain' });
  expect(searchFields(columns)[3]).toBe('\u0001\u00019');
});
