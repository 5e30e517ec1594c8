import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchiveFilter, bucketOver, bucketStart, CATEGORIES, monthOf } from '@archive/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TimelineAnswer } from '../../archive-index.ts';
import { DAY_MS } from '../../figures.ts';
import type { IndexedPost } from '../../indexed-post.ts';
import { aPost } from '../../testing/a-post.ts';
import { runWhole } from '../../testing/run-whole.ts';
import { type IndexFile, openForReading, openForWriting } from '../index-file.ts';
import { IndexWriter } from '../writer.ts';
import { IndexReader } from './reader.ts';

const POSTS = 12_000;
const FIRST = Date.parse('2024-11-03T05:00:00Z');
/** Milliseconds between two posts; all posts span two years. */
const EVERY_MS = (730 * DAY_MS) / POSTS;
const WORDS = ['amber', 'ember', 'the', 'then', 'a', 'sea', 'ice'];

/** Some posts of three months in the middle. */
function isEsperanto(n: number): boolean {
  return n % 6 !== 0 && n > 4_300 && n < 5_400 && n % 5 === 0;
}

function makePost(n: number): IndexedPost {
  return aPost({
    at: Math.floor(FIRST + n * EVERY_MS),
    content: `${WORDS[n % 7]} ${WORDS[n % 5]} ${n % 400}`,
    author: `Author ${n % 40}`,
    handle: `author${n % 40}`,
    category: CATEGORIES[n % 4] ?? null,
    media: n % 6 === 0 ? ['image'] : [],
    language: isEsperanto(n) ? 'eo' : 'en',
    savedAt: 1_700_000_000_000,
    reactions: n % 9,
  });
}

const posts = Array.from({ length: POSTS }, (_, n) => makePost(n));
const folder = mkdtempSync(join(tmpdir(), 'timeline-'));
let written: IndexFile;
let read: IndexFile;

beforeAll(async () => {
  const path = join(folder, 'index.sqlite');
  const { db, isEmpty } = openForWriting(path, 'test');
  written = db;
  const writer = new IndexWriter(db, isEmpty);
  await writer.apply({ posts, position: null });
  writer.finishBuild();
  read = openForReading(path);
});

afterAll(() => {
  read.close();
  written.close();
  rmSync(folder, { recursive: true });
});

function isBetween(since: string, until: string): (post: IndexedPost) => boolean {
  return ({ at }) => at >= Date.parse(since) && at < Date.parse(until);
}

const CASES: [filter: ArchiveFilter, is: (post: IndexedPost) => boolean][] = [
  [{}, () => true],
  // Many and few matches.
  [{ search: 'amber' }, ({ content }) => content.includes('amber')],
  [{ search: 'mber' }, ({ content }) => content.includes('mber')],
  [{ search: 'author' }, () => true],
  [{ search: 'nowhere found' }, () => false],
  [{ search: 'ice 17' }, ({ content }) => content.includes('ice 17')],
  [{ search: 'author', content: 'the' }, ({ content }) => content.includes('the')],
  [
    { search: 'sea', category: CATEGORIES[1] },
    ({ content, category }) => content.includes('sea') && category === CATEGORIES[1],
  ],
  [{ search: 'author', media: 'image' }, (post) => posts.indexOf(post) % 6 === 0],
  // Short texts.
  [{ search: 'e' }, ({ content, author }) => content.includes('e') || author.includes('e')],
  [{ search: 'ic' }, ({ content }) => content.includes('ic')],
  [{ search: '39' }, ({ content, author }) => content.includes('39') || author.includes('39')],
  [
    { search: 'th', startDate: '2025-02-11', endDate: '2026-03-05' },
    ({ content, at }) =>
      (content.includes('th') || 'author'.includes('th')) &&
      at >= Date.parse('2025-02-11') &&
      at < Date.parse('2026-03-06'),
  ],
  [
    { search: 'ic', category: CATEGORIES[1] },
    ({ content, category }) => content.includes('ic') && category === CATEGORIES[1],
  ],
  // Time filters only.
  [{ startDate: '2025-02-11' }, ({ at }) => at >= Date.parse('2025-02-11')],
  [{ startDate: '2025-01-11', endDate: '2026-02-05' }, isBetween('2025-01-11', '2026-02-06')],
  [{ startDate: '2025-01-11', endDate: '2025-02-05' }, isBetween('2025-01-11', '2025-02-06')],
  // Answered from counts by category and trait: by months, weeks and days.
  [{ category: CATEGORIES[2] }, ({ category }) => category === CATEGORIES[2]],
  [
    { media: 'image', category: CATEGORIES[2] },
    (post) => posts.indexOf(post) % 6 === 0 && post.category === CATEGORIES[2],
  ],
  [
    { media: 'image', startDate: '2025-01-08', endDate: '2026-10-05' },
    (post) => posts.indexOf(post) % 6 === 0 && isBetween('2025-01-08', '2026-10-06')(post),
  ],
  [
    { media: 'image', startDate: '2025-01-08', endDate: '2026-02-05' },
    (post) => posts.indexOf(post) % 6 === 0 && isBetween('2025-01-08', '2026-02-06')(post),
  ],
  [
    { media: 'image', startDate: '2025-01-08', endDate: '2025-03-05' },
    (post) => posts.indexOf(post) % 6 === 0 && isBetween('2025-01-08', '2025-03-06')(post),
  ],
  // Weeks that begin in the month before their posts: the Mondays alone span fewer months, or more.
  [
    { category: CATEGORIES[2], startDate: '2025-04-07', endDate: '2025-07-01' },
    (post) => post.category === CATEGORIES[2] && isBetween('2025-04-07', '2025-07-02')(post),
  ],
  [
    { category: CATEGORIES[2], startDate: '2025-02-01', endDate: '2026-07-20' },
    (post) => post.category === CATEGORIES[2] && isBetween('2025-02-01', '2026-07-21')(post),
  ],
  // Many months searched, matches in few.
  [{ language: 'eo', startDate: '2025-01-08', endDate: '2026-02-05' }, ({ language: told }) => told === 'eo'],
  [{ language: 'eo' }, ({ language: told }) => told === 'eo'],
  // One author's posts, through an index in order of time.
  [{ handle: 'author7' }, ({ handle }) => handle === 'author7'],
  [
    { handle: 'author7', startDate: '2025-01-08', endDate: '2026-10-05' },
    (post) => post.handle === 'author7' && isBetween('2025-01-08', '2026-10-06')(post),
  ],
  [
    { handle: 'author7', content: 'ic', startDate: '2025-01-08' },
    (post) => post.handle === 'author7' && post.content.includes('ic') && post.at >= Date.parse('2025-01-08'),
  ],
  // Through an index in another order.
  [{ q: 'reactions:>5' }, (post) => post.reactions > 5],
  // Answered from counts minus the excluded posts.
  [
    { q: '-amber', startDate: '2025-01-08', endDate: '2026-02-05' },
    (post) => !post.content.includes('amber') && isBetween('2025-01-08', '2026-02-06')(post),
  ],
  [{ q: '-amber has:image' }, (post) => !post.content.includes('amber') && posts.indexOf(post) % 6 === 0],
  [
    { search: 'author', startDate: '2025-02-11', endDate: '2026-03-05' },
    ({ at }) => at >= Date.parse('2025-02-11') && at < Date.parse('2026-03-06'),
  ],
  [
    { search: 'author', startDate: '2025-02-11', endDate: '2025-03-05' },
    ({ at }) => at >= Date.parse('2025-02-11') && at < Date.parse('2025-03-06'),
  ],
];

test.each([1e9, 40_000, 700, 70])('every post is in its day, week or month, in turns of %d', (turn) => {
  for (const [filter, is] of CASES) {
    const reader = new IndexReader(read, turn);
    let version = 1;
    const steps = reader.timeline({ filter, now: 0, version });
    let { done, value } = steps.next();
    // After each turn, another question reports a changed archive.
    for (; !done; { done, value } = steps.next()) {
      runWhole(reader.timeline({ filter: { handle: 'author7' }, now: 0, version: ++version }));
    }
    const answer = value as TimelineAnswer;
    const counts = new Map<number, number>();
    const matching = posts.filter(is);
    const months = matching.map(({ at }) => monthOf(Math.floor(at / DAY_MS)));
    const span = months.length === 0 ? 0 : Math.max(...months) - Math.min(...months) + 1;
    expect([filter, answer.bucket]).toEqual([filter, bucketOver(span)]);
    for (const { at } of matching) {
      const from = bucketStart(answer.bucket, Math.floor(at / DAY_MS));
      counts.set(from, (counts.get(from) ?? 0) + 1);
    }
    const expected = [...counts].sort(([one], [other]) => one - other).map(([from, posts]) => ({ from, posts }));
    expect([filter, answer.counts]).toEqual([filter, expected]);
  }
});
