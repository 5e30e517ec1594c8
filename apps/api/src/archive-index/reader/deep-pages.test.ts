import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchiveFilter, CATEGORIES, SORT_FIELDS, SORT_ORDERS } from '@archive/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type IndexFile, openForReading, openForWriting } from '../index-file.ts';
import type { IndexedPost } from '../post-table.ts';
import { IndexWriter } from '../writer.ts';
import { IndexReader } from './reader.ts';

const POSTS = 3_000;
const TURN = 70;
const WORDS = ['amber', 'ember', 'the', 'then', 'a', 'sea', 'ice'];

/** Posts of few times, names and texts, so that many stand at equal places. */
function makePosts(): IndexedPost[] {
  return Array.from({ length: POSTS }, (_, n) => ({
    oid: new Uint8Array(randomBytes(12)),
    at: 1_600_000_000_000 + Math.floor(n / 3) * 1_000,
    content: `${WORDS[n % 7]} ${WORDS[n % 5]} ${n % 400}`,
    author: `Author ${n % 40}`,
    handle: `author${n % 40}`,
    category: CATEGORIES[n % 4] ?? null,
    featuredAt: n === 1_000 ? 1 : null,
    removed: false,
  }));
}

describe('a page is the same however many turns the walk to it takes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deep-pages-'));
  const path = join(folder, 'index.sqlite');
  let written: IndexFile;
  let read: IndexFile;

  beforeAll(async () => {
    const { db, isEmpty } = openForWriting(path, 'test');
    written = db;
    const writer = new IndexWriter(db, isEmpty);
    await writer.apply({ posts: makePosts(), position: null });
    writer.finishBuild({ at: 1, beat: 1 });
    read = openForReading(path);
  });

  afterAll(() => {
    read.close();
    written.close();
    rmSync(folder, { recursive: true });
  });

  const filters: ArchiveFilter[] = [
    {},
    { search: 'e' },
    { search: 'the' },
    { search: 'the', author: '1' },
    { content: 'am', category: CATEGORIES[1] },
    { author: 'or 1' },
    { handle: 'AUTHOR7' },
    { search: 'ember', startDate: '2020-09-13' },
  ];

  it.each(filters.map((filter) => [JSON.stringify(filter), filter] as const))('%s', (_, filter) => {
    const few = new IndexReader(read, TURN);
    const whole = new IndexReader(read, 1e9);
    let longest = 0;
    for (const sortBy of SORT_FIELDS) {
      for (const sortOrder of SORT_ORDERS) {
        for (const split of [false, true]) {
          for (const offset of [0, 12, 180, 700, 1_430, 2_990]) {
            const question = { filter, sort: { sortBy, sortOrder }, offset, limit: 12, split, now: 0, version: 1 };
            const at = JSON.stringify({ sortBy, sortOrder, split, offset });
            const expected = whole.list(question);
            let answer = few.list(question);
            let turns = 1;
            for (; answer === null && turns < 1_000; turns++) answer = few.list(question);
            longest = Math.max(longest, turns);
            expect({ at, oids: answer?.oids, total: answer?.total }).toEqual({
              at,
              oids: expected?.oids,
              total: expected?.total,
            });
          }
        }
      }
    }
    expect(longest > 1).toBe(Object.keys(filter).length > 0);
  });
});
