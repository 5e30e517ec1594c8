import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { seeded } from '../../bench/generate-posts.ts';
import { type IndexFile, openForReading, openForWriting, Query } from './index-file.ts';
import { type IndexSource, toIndexedPost, toRemoval } from './post-table.ts';
import { IndexWriter } from './writer.ts';

/** What is removed is in no byte of the file, wherever the post lay and however often it was moved. */
describe('a removed post', () => {
  const random = seeded(5);
  let folder: string;
  let db: IndexFile;
  let writer: IndexWriter;
  let posts: IndexSource[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forget-'));
    db = openForWriting(join(folder, 'index.sqlite'), 'epoch').db;
    writer = new IndexWriter(db, true);
    writer.finishBuild({ at: 0, beat: 0 });
    posts = [];
    // Out of the order of time, as posts of an archive come: pages are split and rows moved.
    for (let batch = 0; batch < 60; batch++) {
      const some = Array.from({ length: 40 }, (_, index) => made(batch * 40 + index));
      posts.push(...some);
      writer.apply({ posts: some.map(toIndexedPost), position: null });
    }
  });

  afterEach(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const wordOf = (at: number) => `quokka${at.toString(36).padStart(4, '0')}zz`;
  const nameOf = (at: number) => `wombat${at.toString(36).padStart(4, '0')}yy`;

  function made(at: number): IndexSource {
    const timestamp = new Date(Date.UTC(2020, 0, 1) + Math.floor(random() * 1e10));
    const content = `${wordOf(at)} ${'and many more words '.repeat(Math.floor(random() * 12))}`;
    const who = { author: nameOf(at), authorUsername: nameOf(at) };
    const more = { category: null, url: 'https://x.com/a/status/1', featuredAt: null, createdAt: timestamp };
    return { _id: new ObjectId(), content, ...who, ...more, timestamp };
  }

  function remove(which: readonly number[]): void {
    writer.apply({ posts: which.map((at) => toRemoval((posts[at] as IndexSource)._id)), position: null });
  }

  /** Which of these posts are in the file or in what was written and not yet taken over. */
  function found(which: readonly number[]): number[] {
    const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    return which.filter((at) => bytes.includes(wordOf(at)) || bytes.includes(nameOf(at)));
  }

  function forget(): void {
    for (let steps = 0; writer.forget(); steps++) expect(steps).toBeLessThan(1_000);
  }

  const some = (share: number) => posts.map((_, at) => at).filter(() => random() < share);

  it('is in no byte of the file', () => {
    const gone = some(0.2);
    expect(found(gone)).toEqual(gone);
    remove(gone);
    forget();
    expect(found(gone)).toEqual([]);
    expect(new Query(db, 'PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const left = posts.map((_, at) => at).filter((at) => !gone.includes(at));
    expect(found(left)).toEqual(left);
  });

  it('is gone as soon as nobody reads what was there before', () => {
    const reader = openForReading(join(folder, 'index.sqlite'));
    reader.exec('BEGIN');
    new Query(reader, 'SELECT count(*) FROM post').all();
    remove([7]);
    for (let tries = 0; tries < 5; tries++) expect(writer.forget()).toBe(true);
    reader.exec('COMMIT');
    forget();
    reader.close();
    expect(found([7])).toEqual([]);
  });
});
