import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REMOVAL_MERGE_HOURS } from '@archive/contracts';
import { seeded } from '@archive/testing/generate-posts';
import { cases } from '@archive/tiers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type IndexedPost, toRemoval } from '../indexed-post.ts';
import { aPost } from '../testing/a-post.ts';
import { type IndexFile, openForReading, openForWriting, Query, setMeta } from './index-file.ts';
import { Scrubber } from './scrub.ts';
import { IndexWriter } from './writer.ts';

const BATCHES = cases({ quick: 25, full: 60 });

/** What is removed is in no byte of the file, wherever the post lay and however often it was moved. */
describe('a removed post', () => {
  const random = seeded(5);
  const built = mkdtempSync(join(tmpdir(), 'forget-built-'));
  const builtPosts: IndexedPost[] = [];
  let folder: string;
  let db: IndexFile;
  let writer: IndexWriter;
  let posts: IndexedPost[];

  beforeAll(() => {
    const { db } = openForWriting(join(built, 'index.sqlite'), 'epoch');
    const writer = new IndexWriter(db, true);
    writer.finishBuild({ at: 0, beat: 0 });
    // Out of the order of time, as posts of an archive come: pages are split and rows moved.
    for (let batch = 0; batch < BATCHES; batch++) {
      const some = Array.from({ length: 40 }, (_, index) => made(batch * 40 + index));
      builtPosts.push(...some);
      writer.apply({ posts: some, position: null });
    }
    db.close();
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forget-'));
    cpSync(built, folder, { recursive: true });
    db = openForWriting(join(folder, 'index.sqlite'), 'epoch').db;
    writer = new IndexWriter(db, false);
    posts = builtPosts.map((post) => ({ ...post }));
  });

  afterEach(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  afterAll(() => rmSync(built, { recursive: true, force: true }));

  const wordOf = (at: number) => `quokka${at.toString(36).padStart(4, '0')}zz`;
  const nameOf = (at: number) => `wombat${at.toString(36).padStart(4, '0')}yy`;

  function made(at: number): IndexedPost {
    const time = Date.UTC(2020, 0, 1) + Math.floor(random() * 1e10);
    const content = `${wordOf(at)} ${'and many more words '.repeat(Math.floor(random() * 12))}`;
    return aPost({ at: time, content, author: nameOf(at), handle: nameOf(at) });
  }

  function remove(which: readonly number[]): void {
    writer.apply({ posts: which.map((at) => toRemoval((posts[at] as IndexedPost).oid)), position: null });
  }

  /** Which of these posts are in the file or in what was written and not yet taken over. */
  function found(which: readonly number[]): number[] {
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    const words = texts.flatMap((text) => text.match(/(?:quokka|wombat)[0-9a-z]{4}/g) ?? []);
    const posts = new Set(words.map((word) => Number.parseInt(word.slice(6), 36)));
    return which.filter((at) => posts.has(at));
  }

  function forget(): void {
    for (let steps = 0; writer.forget() !== 'done'; steps++) expect(steps).toBeLessThan(1_000);
    expect(new Query(db, 'PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  }

  const changes = () => new Query<{ n: number }>(db, 'SELECT total_changes() AS n').first()?.n ?? 0;
  const freePages = () =>
    new Query<{ n: number }>(db, 'SELECT freelist_count AS n FROM pragma_freelist_count').first()?.n;

  const some = (share: number) => posts.map((_, at) => at).filter(() => random() < share);

  it('is in no byte of the file', () => {
    const gone = some(0.2);
    expect(found(gone)).toEqual(gone);
    remove(gone);
    forget();
    expect(found(gone)).toEqual([]);
    const left = posts.map((_, at) => at).filter((at) => !gone.includes(at));
    expect(found(left)).toEqual(left);
  });

  it('is gone as soon as nobody reads what was there before', () => {
    const reader = openForReading(join(folder, 'index.sqlite'));
    reader.exec('BEGIN');
    new Query(reader, 'SELECT count(*) FROM post').all();
    remove([7]);
    while (writer.forget() === 'more') {
      // Until only the log is left.
    }
    for (let tries = 0; tries < 3; tries++) expect(writer.forget()).toBe('later');
    expect(found([7])).toEqual([7]);
    reader.exec('COMMIT');
    forget();
    reader.close();
    expect(found([7])).toEqual([]);
  });

  it('is gone after a pass, although others are removed during each', () => {
    const large = Array.from({ length: 600 }, (_, at) => ({
      ...made(9_000 + at),
      content: 'many words '.repeat(1_500),
    }));
    writer.apply({ posts: large, position: null });
    remove([1]);
    // The file is more than one step: the next is removed meanwhile.
    expect(writer.forget()).toBe('more');
    remove([2]);
    let steps = 1;
    for (; found([1]).length > 0; steps++) {
      expect(writer.forget()).toBe('more');
      expect(steps).toBeLessThan(20);
    }
    expect(steps).toBeGreaterThan(1);
    remove([3]);
    forget();
    expect(found([1, 2, 3])).toEqual([]);
  });

  it('leaves nothing of a text longer than a page, nor at the end of the pages that hold another one by now', () => {
    const long = (at: number, words: number) => Array.from({ length: words }, (_, n) => `${wordOf(at)}${n}`).join(' ');
    const which = Array.from({ length: 30 }, (_, at) => at);
    const edit = (words: number) => {
      for (const at of which) posts[at] = { ...(posts[at] as IndexedPost), content: long(at, words) };
      writer.apply({ posts: which.map((at) => posts[at] as IndexedPost), position: null });
    };
    edit(1_500);
    expect(found(which)).toEqual(which);
    // Others take the pages of these in the same transaction.
    const others = which.map((at) => ({ ...made(posts.length + at), content: 'plain words '.repeat(1_000 + at * 10) }));
    const gone = which.map((at) => toRemoval((posts[at] as IndexedPost).oid));
    writer.apply({ posts: [...gone, ...others], position: null });
    forget();
    expect(found(which)).toEqual([]);
  });

  it('leaves nothing in pages that are in no use', () => {
    const gone = posts.map((_, at) => at).filter((at) => at % 50 !== 0);
    remove(gone);
    expect(freePages()).toBeGreaterThan(100);
    forget();
    expect(found(gone)).toEqual([]);
    // What takes those pages finds them in order.
    writer.apply({ posts: gone.map((at) => made(at)), position: null });
    forget();
    expect(found(gone)).toEqual(gone);
  });

  it('leaves nothing of what was removed before rows were overwritten in their place', () => {
    db.exec('PRAGMA secure_delete = OFF');
    const gone = some(0.3);
    remove(gone);
    db.exec('PRAGMA secure_delete = FAST');
    expect(found(gone)).not.toEqual([]);
    // As after a start.
    writer = new IndexWriter(db, false);
    forget();
    expect(found(gone)).toEqual([]);
  });

  it('leaves no trigram once the full text is merged, which is done a day after the last time', () => {
    const bytes = () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    // The full text keeps of each trigram what differs from the one before: of this text, the last two letters.
    const has = () => bytes().includes('\u0700\ua66e');
    const merge = () => {
      for (let steps = 0; writer.tidy(); steps++) expect(steps).toBeLessThan(1_000);
    };
    const post = { ...made(9_999), content: '\ua66e\u0700\ua66e' };
    writer.apply({ posts: [post], position: null });
    merge();
    writer.apply({ posts: [toRemoval(post.oid)], position: null });
    forget();
    merge();
    forget();
    expect(has()).toBe(true);
    setMeta(db, 'merged', Date.now() - (REMOVAL_MERGE_HOURS - 1) * 3_600_000);
    expect(writer.tidy()).toBe(false);
    setMeta(db, 'merged', Date.now() - REMOVAL_MERGE_HOURS * 3_600_000);
    // Begun by one process, ended by the next.
    expect(writer.tidy()).toBe(true);
    writer = new IndexWriter(db, false);
    merge();
    forget();
    expect(has()).toBe(false);
    // Nothing was removed since.
    setMeta(db, 'merged', 0);
    const before = changes();
    merge();
    expect(changes()).toBe(before);
  });

  it('costs a pass over the file only where words or names went', () => {
    forget();
    const kept = posts[3] as IndexedPost;
    // At its end the log is emptied.
    const costsOne = (change: Partial<IndexedPost>) => {
      writer.apply({ posts: [Object.assign(kept, change)], position: null });
      forget();
      return statSync(join(folder, 'index.sqlite-wal')).size === 0;
    };
    expect(costsOne({ language: 'de', category: 'tech', media: ['image'] })).toBe(false);
    expect(costsOne({ content: 'other words' })).toBe(true);
    expect(costsOne({ savedAt: 0 })).toBe(false);
    expect(costsOne({ author: 'Another' })).toBe(true);
    expect(found([3])).toEqual([3]);
    expect(costsOne({ handle: 'another' })).toBe(true);
    expect(found([3])).toEqual([]);
  });

  it('writes no more pages in one step than it looks at', () => {
    remove(posts.map((_, at) => at));
    const { n } = new Query<{ n: number }>(db, 'SELECT page_count AS n FROM pragma_page_count').first() as {
      n: number;
    };
    const scrubber = new Scrubber(db, 50);
    const written: number[] = [];
    scrubber.begin();
    while (scrubber.isAtWork) {
      const before = changes();
      scrubber.step();
      written.push(changes() - before);
    }
    expect(written).toHaveLength(Math.ceil((n - 1) / 50));
    expect(Math.max(...written)).toBeGreaterThan(0);
    expect(Math.max(...written)).toBeLessThanOrEqual(50);
  });
});
