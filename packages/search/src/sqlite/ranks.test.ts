import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewPost } from '@archive/contracts/schemas';
import { generatePosts, seeded } from '@archive/testing/generate-posts';
import { cases } from '@archive/tiers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type IndexedPost, toRemoval } from '../indexed-post.ts';
import { indexed } from '../testing/a-post.ts';
import { checkIndex } from './check-index.ts';
import { type IndexFile, openForWriting, Query } from './index-file.ts';
import { NEWEST } from './reader/authors.ts';
import { IndexWriter } from './writer.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2020, 0, 1);
const hex = ({ oid }: Pick<IndexedPost, 'oid'>) => Buffer.from(oid).toString('hex');
const SINGLE = cases({ quick: 120, full: 400 });
const BATCHES = cases({ quick: 8, full: 30 });

/**
 * Posts arrive in any order. Ranks keep the order of time, and every table that refers to a rank follows when it moves.
 */
describe('ranks', () => {
  let folder: string;
  let path: string;
  let db: IndexFile;
  let writer: IndexWriter;
  let posts: Map<string, IndexedPost>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ranks-'));
    path = join(folder, 'index.sqlite');
    db = openForWriting(path, 'epoch').db;
    writer = new IndexWriter(db, true);
    writer.finishBuild();
    posts = new Map();
  });

  afterEach(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const generated = generatePosts(20_000, 3);
  const words = () => generated.next().value as NewPost;

  function save(times: readonly number[]): void {
    const batch = times.map((time) => {
      const featuredAt = time % 7 === 0 ? time : null;
      return indexed(words(), { at: time, savedAt: time, featuredAt, flags: featuredAt === null ? [] : ['featured'] });
    });
    for (const post of batch) posts.set(hex(post), post);
    writer.apply({ posts: batch, position: null });
  }

  function remove(share: number, random: () => number): void {
    const gone = [...posts.values()].filter(() => random() < share);
    for (const post of gone) posts.delete(hex(post));
    writer.apply({ posts: gone.map(({ oid }) => toRemoval(oid)), position: null });
  }

  async function differences(): Promise<string[]> {
    const inOrder = [...posts.values()].sort((one, other) => Buffer.compare(one.oid, other.oid));
    async function* read() {
      yield* inOrder;
    }
    const newest = new Query<{ handle: string; oid: Uint8Array }>(
      db,
      `SELECT handle, ${NEWEST} AS oid FROM author`,
    ).all();
    const wanted = new Map<string, Uint8Array>();
    for (const { handle, oid } of inOrder.toSorted((one, other) => one.at - other.at)) {
      wanted.set(handle.toLowerCase(), oid);
    }
    expect(new Map(newest.map(({ handle, oid }) => [handle, oid]))).toEqual(wanted);
    return (await checkIndex(path, read())).differences;
  }

  const random = seeded(8);
  const anyTime = (days: number) => START + Math.floor(random() * days) * DAY_MS + Math.floor(random() * 3);

  it.each<[string, () => void]>([
    [
      'newest last',
      () => {
        for (let at = 0; at < SINGLE; at++) save([START + at * DAY_MS]);
      },
    ],
    [
      'newest first',
      () => {
        for (let at = SINGLE; at > 0; at--) save([START + at * DAY_MS]);
      },
    ],
    [
      'all between the same two',
      () => {
        save([START, START + DAY_MS]);
        for (let at = 0; at < SINGLE * 1.5; at++) save([START + 1 + (at % 2 === 0 ? at : 2_000 - at)]);
      },
    ],
    [
      'all of one millisecond',
      () => {
        for (let at = 0; at < BATCHES; at++) save(new Array(50).fill(START));
      },
    ],
    [
      'in batches of any time',
      () => {
        for (let at = 0; at < BATCHES; at++) save(Array.from({ length: 100 }, () => anyTime(40)));
      },
    ],
    [
      'while others go',
      () => {
        for (let at = 0; at < BATCHES; at++) {
          save(Array.from({ length: 60 }, () => anyTime(5)));
          remove(0.2, random);
        }
      },
    ],
  ])('are right however posts come: %s', async (_, come) => {
    come();
    expect(await differences()).toEqual([]);
  });

  it('move apart where no place is left, and only there', async () => {
    save(Array.from({ length: 1_000 }, (_, at) => START + at * DAY_MS));
    const ranks = () =>
      new Query<{ oid: Uint8Array; rank: bigint }>(db, 'SELECT oid, rank FROM post ORDER BY rank', { big: true }).all();
    const before = new Map(ranks().map(({ oid, rank }) => [hex({ oid }), rank]));
    // Each post falls between the previous one and the next.
    for (let at = 0; at < 300; at++) save([START + 500 * DAY_MS + at]);
    const after = ranks();
    const moved = after.filter(({ oid, rank }) => (before.get(hex({ oid })) ?? rank) !== rank);
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.length).toBeLessThan(500);
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['UPDATE kind SET posts = posts + 1', /^kind /],
    ['DELETE FROM month', /^month /],
    ['UPDATE day SET posts = 0', /^day /],
    ['DELETE FROM category', /^category /],
    ["UPDATE piece SET posts = 0 WHERE text = 'e'", /^text "e"/],
    ["DELETE FROM piece WHERE text = 'th'", /^text "th"/],
  ])('are told to be wrong after %s', async (harm, told) => {
    save(Array.from({ length: 20 }, (_, at) => START + at * DAY_MS));
    expect(await differences()).toEqual([]);
    db.exec(harm);
    expect(await differences()).toEqual(expect.arrayContaining([expect.stringMatching(told)]));
  });
});
