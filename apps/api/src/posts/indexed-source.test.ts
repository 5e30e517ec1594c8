import type { IndexedPost } from '@archive/search';
import { expect, test } from '@jest/globals';
import { ObjectId, Timestamp } from 'mongodb';
import { type IndexSource, toIndexedPost } from './indexed-source.ts';

const _id = new ObjectId('656565656565656565656565');

const post: IndexSource = {
  _id,
  content: 'Cafe\u0301 ΟΔΟΣ',
  author: 'Ada L.',
  authorUsername: 'Ada_L',
  category: 'tech',
  timestamp: new Date('2026-03-04T05:06:07.008Z'),
  url: 'https://bsky.app/profile/ada.example/post/3l6oveex3ii2l',
  media: [{ type: 'gif' }, { type: 'video' }],
  language: 'pt-BR',
  savedAt: new Date('2026-05-06T07:08:09.010Z'),
  createdAt: new Date('2026-06-07T08:09:10.011Z'),
  featuredAt: new Date('2026-07-08T09:10:11.012Z'),
  links: [{}],
  quoted: { platform: 'x' },
  launched: true,
  source: { state: 'deleted' },
  threadRoot: 'root',
  reactions: 3,
};

const indexed: IndexedPost = {
  oid: _id.id,
  at: 1_772_600_767_008,
  content: 'Cafe\u0301 ΟΔΟΣ',
  author: 'Ada L.',
  handle: 'Ada_L',
  category: 'tech',
  media: ['gif', 'video'],
  platform: 'bluesky',
  language: 'pt-BR',
  flags: ['link', 'quote', 'featured', 'launched', 'deleted'],
  thread: 'root',
  reactions: 3,
  savedAt: 1_778_051_289_010,
  featuredAt: 1_783_501_811_012,
  removed: false,
  changed: null,
};

test('a post is given to the index with all that the index holds of it', () => {
  expect(toIndexedPost(post)).toEqual(indexed);
});

test('what a post has not is given as empty, and it was saved when it was made', () => {
  const { content, author, authorUsername, timestamp, url, createdAt } = post;
  const bare = { _id, content, author, authorUsername, category: null, timestamp, url, createdAt };
  expect(toIndexedPost(bare)).toEqual({
    ...indexed,
    category: null,
    media: [],
    language: null,
    flags: [],
    thread: null,
    reactions: 0,
    savedAt: 1_780_819_750_011,
    featuredAt: null,
  });
});

test.each<[string, Partial<IndexSource>, IndexedPost['flags']]>([
  ['a link by its place', { links: [{}] }, ['link']],
  ['a link in its words', { content: 'at https://a.example' }, ['link']],
  ['a quoted post', { quoted: { platform: 'x' } }, ['quote']],
  ['a time of featuring', { featuredAt: new Date(1) }, ['featured']],
  ['a token', { launched: true }, ['launched']],
  ['a deleted original', { source: { state: 'deleted' } }, ['deleted']],
])('%s sets its own flag alone', (_, fields, flags) => {
  const { links, quoted, featuredAt, launched, source, ...plain } = post;
  expect(toIndexedPost({ ...plain, ...fields }).flags).toEqual(flags);
});

test('what is said to be empty or not so sets no flag', () => {
  const { quoted, ...plain } = post;
  const none = { links: [], featuredAt: null, launched: false, source: { state: 'live' } };
  expect(toIndexedPost({ ...plain, ...none })).toMatchObject({ flags: [], featuredAt: null });
});

test('a language is read from what else is said of a post', () => {
  const { language, ...plain } = post;
  expect(toIndexedPost({ ...plain, metadata: { language: 'English' } }).language).toBe('en');
});

test('of a removed post the index gets its id alone', () => {
  expect(toIndexedPost({ ...post, removedAt: new Date(1) })).toEqual({
    oid: _id.id,
    at: 0,
    content: '',
    author: '',
    handle: '',
    category: null,
    media: [],
    platform: 'other',
    language: null,
    flags: [],
    thread: null,
    reactions: 0,
    savedAt: 0,
    featuredAt: null,
    removed: true,
    changed: null,
  });
});

test('changes are told in their order, as numbers that are exact', () => {
  const stamps = [
    [1_500_000_000, 1],
    [1_772_600_767, 1],
    [1_772_600_767, 2],
    [1_772_600_768, 1],
    [2_114_000_000, 16_000_000],
  ] as const;
  const told = stamps.map(([t, i]) => toIndexedPost({ ...post, changedAt: new Timestamp({ t, i }) }).changed as number);
  expect(told.toSorted((one, other) => one - other)).toEqual(told);
  expect(new Set(told).size).toBe(stamps.length);
  expect(told.every(Number.isSafeInteger)).toBe(true);
});
