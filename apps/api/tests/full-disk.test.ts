import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { generatePosts, seeded } from '../bench/generate-posts.ts';
import { checkIndex } from '../src/archive-index/check-index.ts';
import { type IndexFile, openForWriting, Query } from '../src/archive-index/index-file.ts';
import { type IndexSource, toIndexedPost } from '../src/archive-index/post-table.ts';
import { IndexWriter } from '../src/archive-index/writer.ts';

let folder: string;
let path: string;
let db: IndexFile;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
  path = join(folder, 'index.sqlite');
  db = openForWriting(path, 'epoch').db;
});

afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The disk, as far as this file may grow. */
function leavePages(pages: number): void {
  const used = new Query<{ page_count: number }>(db, 'PRAGMA page_count').first()?.page_count ?? 0;
  db.exec(`PRAGMA max_page_count = ${used + pages}`);
}

it('holds every post right after the disk was full at random moments, and says what was wrong', async () => {
  const posts: IndexSource[] = [...generatePosts(2_000, 21)].map((post) => ({
    ...post,
    _id: new ObjectId(),
    featuredAt: null,
  }));
  const random = seeded(4);
  const writer = new IndexWriter(db, true);
  writer.finishBuild({ at: 0, beat: 0 });
  let failures = 0;
  for (let at = 0; at < posts.length; at += 100) {
    const batch = posts.slice(at, at + 100).map(toIndexedPost);
    if (random() < 0.5) {
      leavePages(Math.floor(random() * 12));
      try {
        writer.apply({ posts: batch, position: null });
      } catch (error) {
        failures++;
        expect((error as Error).message).toMatch(/full/);
      }
      db.exec('PRAGMA max_page_count = 1073741823');
    }
    writer.apply({ posts: batch, position: null });
  }
  expect(failures).toBeGreaterThan(4);
  const inOrder = posts.toSorted((one, other) => Buffer.compare(one._id.id, other._id.id));
  const report = await checkIndex(path, inOrderOf(inOrder), () => {});
  expect(report.differences).toEqual([]);
  expect(writer.summary().posts).toBe(posts.length);
  for (const table of ['author', 'day', 'category']) {
    const sum = new Query<{ posts: number }>(db, `SELECT sum(posts) AS posts FROM ${table}`).first()?.posts;
    expect([table, sum]).toEqual([table, posts.length]);
  }
});

async function* inOrderOf(posts: IndexSource[]): AsyncGenerator<IndexSource> {
  yield* posts;
}
