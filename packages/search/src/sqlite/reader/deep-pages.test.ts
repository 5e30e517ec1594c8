import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchiveFilter, CATEGORIES, SORT_FIELDS, SORT_ORDERS, type SortField } from '@archive/contracts';
import { isFull } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IndexedPost } from '../../indexed-post.ts';
import { questionOf } from '../../question.ts';
import { aPost } from '../../testing/a-post.ts';
import { runWhole } from '../../testing/run-whole.ts';
import { type IndexFile, openForReading, openForWriting } from '../index-file.ts';
import { IndexWriter } from '../writer.ts';
import { asksFullText, planFor } from './plan.ts';
import { IndexReader } from './reader.ts';
import { Statements } from './statements.ts';

const POSTS = 3_000;
const TURN = 70;
const OFFSETS = isFull ? [0, 12, 30, 180, 700, 1_430, 2_990] : [12, 700, 2_990];
const WORDS = ['amber', 'ember', 'the', 'then', 'a', 'sea', 'ice'];

/** Posts with few times, names and texts, so that many tie. */
function makePosts(count = POSTS, from = 0): IndexedPost[] {
  return Array.from({ length: count }, (_, at) => at + from).map((n) =>
    aPost({
      at: 1_600_000_000_000 + Math.floor(n / 3) * 1_000,
      content: `${WORDS[n % 7]} ${WORDS[n % 5]} ${n % 400}`,
      author: `Author ${n % 40}`,
      handle: `author${n % 40}`,
      category: CATEGORIES[n % 4] ?? null,
      media: n % 6 === 0 ? ['image'] : [],
      platform: n % 5 === 0 ? 'bluesky' : 'x',
      language: n % 300 === 0 ? 'ja' : 'en',
      savedAt: 1_700_000_000_000 + ((n * 7_919) % 1_000),
      reactions: (n * 31) % 11,
      thread: n % 20 === 0 ? `root${n % 200}` : null,
      featuredAt: n === 1_000 ? 1 : null,
    }),
  );
}

describe('a page is the same however many turns the walk to it takes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deep-pages-'));
  const path = join(folder, 'index.sqlite');
  const posts = makePosts();
  let written: IndexFile;
  let writer: IndexWriter;
  let read: IndexFile;

  beforeAll(async () => {
    const { db, isEmpty } = openForWriting(path, 'test');
    written = db;
    writer = new IndexWriter(db, isEmpty);
    await writer.apply({ posts, position: null });
    writer.finishBuild();
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
    { platform: 'x' },
    { platform: 'bluesky', media: 'image', category: CATEGORIES[2] },
    { language: 'ja', search: 'e' },
    { platform: 'x', search: 'e' },
    { media: 'none', search: 'the' },
    // A rare match among many.
    { search: 'the', author: '39' },
    { search: 'e', author: '39' },
  ];

  const turn = 2 * Math.ceil(POSTS / TURN) + 3;
  let version = 1;

  /** Runs a question turn by turn, with another question between the turns that reports a changed archive. */
  function askOn(reader: IndexReader, question: Parameters<IndexReader['list']>[0]) {
    const steps = reader.list({ ...question, version: ++version });
    for (let turns = 1; ; turns++) {
      const { done, value } = steps.next();
      if (done) return { turns, oids: value.oids, total: value.total };
      if (turns > turn) throw new Error('it counts again at each turn');
      runWhole(reader.list({ ...question, filter: { search: 'ice' }, offset: 0, version: ++version }));
    }
  }

  /** The orders in which a page takes one turn only. */
  function ordersAtOnce(filter: ArchiveFilter): readonly SortField[] {
    const isFew = filter.platform === 'bluesky' || filter.language !== undefined;
    if (Object.keys(filter).length === 0 || isFew) return SORT_FIELDS;
    // Indexes exist for an author's posts in both orders.
    if (filter.handle) return ['timestamp', 'saved'];
    // Every key's index contains the platform.
    return filter.platform && !filter.search ? SORT_FIELDS : [];
  }

  it.each(filters.map((filter, at) => [JSON.stringify(filter), filter, at] as const))('%s', (_, filter, which) => {
    const few = new IndexReader(read, TURN);
    const whole = new IndexReader(read, 1e9);
    // The quick tier tests half of the orders per filter, alternating between filters.
    for (const sortBy of SORT_FIELDS.filter((_, at) => isFull || (at + which) % 2 === 0)) {
      let most = 0;
      for (const sortOrder of SORT_ORDERS) {
        for (const split of isFull ? [false, true] : [sortOrder === 'asc']) {
          for (const offset of OFFSETS) {
            const question = { filter, sort: { sortBy, sortOrder }, offset, limit: 12, split, now: 0, version };
            const at = JSON.stringify({ sortBy, sortOrder, split, offset });
            const { turns, ...answer } = askOn(few, question);
            const { turns: once, ...expected } = askOn(whole, question);
            expect({ at, ...answer }).toEqual({ at, ...expected });
            expect(once).toBe(1);
            most = Math.max(most, turns);
          }
        }
      }
      expect([sortBy, most === 1]).toEqual([sortBy, ordersAtOnce(filter).includes(sortBy)]);
    }
  });

  it.each([
    [1e9, false],
    [1e9, true],
    [TURN, true],
  ])('tells ahead what a page of many matches shows, and counts each once (turns of %d, split: %s)', (rows, split) => {
    const reader = new IndexReader(read, rows);
    for (const [word, startDate] of [['ember'], ['the'], ['the', '2020-09-13']] as const) {
      const matches = posts.filter(
        ({ content, at }) => content.includes(word) && at >= Date.parse(startDate ?? '1970-01-01'),
      );
      expect(matches.length).toBeGreaterThan(400);
      const question = {
        sort: { sortBy: 'timestamp', sortOrder: 'desc' } as const,
        offset: 24,
        limit: 12,
        split,
        now: 0,
      };
      const filter = { search: word, ...(startDate && { startDate }) };
      const told = new Set<string>();
      const onAhead = (oids: Uint8Array[]) => {
        for (const oid of oids) told.add(Buffer.from(oid).toString('hex'));
      };
      const answer = runWhole(reader.list({ filter, ...question, version }, onAhead));
      expect(answer.total).toBe(matches.length);
      // Posts that tie at the edge may be in another order.
      expect(answer.oids.filter((oid) => told.has(Buffer.from(oid).toString('hex'))).length).toBeGreaterThan(9);
      expect(told.size).toBe(13);
    }
  });

  it.each([
    {},
    { search: 'e' },
    { search: 'the' },
    { category: CATEGORIES[3] },
    { media: 'none', startDate: '2020-09-13' },
  ] as const)('posts of an author who has many are found in turns, with %o too', (others) => {
    const filter = { handle: 'author7', ...others };
    const question = { filter, offset: 12, limit: 12, split: false, now: 0, version: 0 };
    const ask = (turn: number) =>
      SORT_FIELDS.map((sortBy) =>
        askOn(new IndexReader(read, turn), { ...question, sort: { sortBy, sortOrder: 'desc' } }),
      );
    const isFullText = () => asksFullText(planFor(questionOf(filter, 0), new Statements(read)) ?? []);
    const expected = ask(1e9);
    expect(isFullText()).toBe(false);
    written.exec("UPDATE author SET posts = posts + 100000 WHERE handle = 'author7'");
    const isMany = isFullText();
    const answers = ask(TURN);
    written.exec("UPDATE author SET posts = posts - 100000 WHERE handle = 'author7'");
    expect(isMany).toBe(true);
    expect(answers.map(({ oids, total }) => ({ oids, total }))).toEqual(
      expected.map(({ oids, total }) => ({ oids, total })),
    );
  });

  it.each([
    ['walked', { search: 'e' }, 'timestamp', 180, 2],
    ['sorted', { search: 'the', author: '39' }, 'author', 12, 40],
  ] as const)('and one that was %s and left begins again', async (_, filter, sortBy, offset, done) => {
    const few = new IndexReader(read, TURN);
    const question = { filter, sort: { sortBy, sortOrder: 'desc' as const }, offset, limit: 12, split: false, now: 0 };
    const left = few.list({ ...question, version });
    for (let turns = 0; turns < done; turns++) expect(left.next().done).toBe(false);
    await writer.apply({ posts: makePosts(600, POSTS + version * 1_000), position: null });
    const { oids } = askOn(few, { ...question, version });
    expect(oids).toEqual(askOn(new IndexReader(read, 1e9), { ...question, version }).oids);
  });
});
