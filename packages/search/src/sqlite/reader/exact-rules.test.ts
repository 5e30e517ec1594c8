import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SortOrder } from '@archive/contracts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS } from '../../figures.ts';
import type { IndexedPost } from '../../indexed-post.ts';
import { toRemoval } from '../../indexed-post.ts';
import { aPost } from '../../testing/a-post.ts';
import { runWhole } from '../../testing/run-whole.ts';
import { type IndexFile, openForWriting } from '../index-file.ts';
import { IndexWriter } from '../writer.ts';
import { IndexReader } from './reader.ts';

const AT = Date.UTC(2024, 6, 9, 12);
const NOW = Date.UTC(2026, 6, 9);

let folder: string;
let db: IndexFile;
let writer: IndexWriter;
let reader: IndexReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exact-'));
  db = openForWriting(join(folder, 'index.sqlite'), 'epoch').db;
  writer = new IndexWriter(db, true);
  writer.finishBuild();
  reader = new IndexReader(db);
});

afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const oid = (last: number) => new Uint8Array(Buffer.alloc(12).fill(last, 10));
const take = (...posts: IndexedPost[]) => writer.apply({ posts, position: null });

test('the newest post of an author is the one of the highest id where times are equal', () => {
  for (const one of [3, 7, 1, 5]) take(aPost({ oid: oid(one), at: AT, handle: 'ada' }));
  take(aPost({ oid: oid(9), at: AT - 1, handle: 'ada' }));
  const newest = () => [
    runWhole(reader.author({ handle: 'ada' }))?.newest,
    reader.explore({ now: NOW }).activeAuthors[0]?.newest,
    reader.explore({ now: NOW }).newAuthors[0]?.newest,
    reader.analytics({ now: NOW }).topAuthors[0]?.newest,
    reader.suggest({ from: 'a' }).authors[0]?.newest,
  ];
  expect(newest()).toEqual(Array(5).fill(oid(7)));
  take(toRemoval(oid(7)));
  expect(newest()).toEqual(Array(5).fill(oid(5)));
});

test('of a day the most reacted of all its posts is shown, of as many reactions the one of the lowest id', () => {
  const day = Math.floor(AT / DAY_MS) * DAY_MS;
  take(
    ...Array.from({ length: 600 }, (_, at) => aPost({ at: day + 1_000 + at, reactions: at % 3 })),
    aPost({ oid: oid(8), at: day, reactions: 4 }),
    aPost({ oid: oid(6), at: day + 500, reactions: 4 }),
    aPost({ oid: oid(4), at: day - 1, reactions: 9 }),
    aPost({ oid: oid(5), at: day + DAY_MS, reactions: 9 }),
  );
  expect(reader.explore({ now: NOW }).sameDays).toEqual([{ day: day / DAY_MS, posts: 602, shown: oid(6) }]);
});

test('contents are ordered by their first 1,000 code points, and by id where these are equal', () => {
  const alike = '\u{1f600}'.repeat(999);
  const contents = [`${alike}b`, `${alike}az`, `${alike}ab`, `${alike}aa`, alike, 'É', 'e\u0301'];
  contents.forEach((content, at) => {
    take(aPost({ oid: oid(at), content, at: AT + at }));
  });
  const list = (sortOrder: SortOrder, filter = {}) =>
    runWhole(
      reader.list({
        filter,
        sort: { sortBy: 'content', sortOrder },
        offset: 0,
        limit: 20,
        split: false,
        now: NOW,
        version: 1,
      }),
    ).oids.map((one) => one[11]);
  expect(list('asc')).toEqual([6, 5, 4, 1, 2, 3, 0]);
  expect(list('desc')).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(list('asc', { search: '\u{1f600}\u{1f600}\u{1f600}' })).toEqual([4, 1, 2, 3, 0]);
  const walked = [...reader.export({}, { sortBy: 'content', sortOrder: 'asc' }, NOW)].flat();
  expect(walked.map((one) => one[11])).toEqual([6, 5, 4, 1, 2, 3, 0]);
});
