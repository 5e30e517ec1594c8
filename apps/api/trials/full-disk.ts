import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexedPost } from '@archive/search';
import { checkIndex } from '@archive/search/sqlite';
import { type IndexFile, openForWriting, Query } from '@archive/search/sqlite/index-file';
import { IndexWriter } from '@archive/search/sqlite/writer';
import { indexed } from '@archive/search/testing/a-post';
import { generatePosts, seeded } from '@archive/testing/generate-posts';

const BATCH = 100;
/** Pages that remain on the disk, at most. A batch may need none, if the file has free pages. */
const MOST_PAGES_LEFT = 12;

export interface FullDiskReport {
  /** Writes that failed on the full disk. */
  moments: number;
  posts: number;
  /** Errors, as text. */
  wrong: string[];
}

/** Fills the disk of an index file during batches, `moments` times, and checks every row afterwards. */
export async function runFullDisk({ moments, seed }: { moments: number; seed: number }): Promise<FullDiskReport> {
  const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
  const path = join(folder, 'index.sqlite');
  const { db } = openForWriting(path, 'epoch');
  try {
    const wrong: string[] = [];
    const random = seeded(seed);
    const generated = generatePosts(moments * BATCH * 10, seed);
    const writer = new IndexWriter(db, true);
    writer.finishBuild();
    const posts: IndexedPost[] = [];
    let met = 0;
    while (met < moments) {
      const batch = Array.from({ length: BATCH }, () => {
        const { value } = generated.next();
        if (!value) throw new Error('the disk was not full often enough');
        return indexed(value);
      });
      leavePages(db, Math.floor(random() * MOST_PAGES_LEFT));
      try {
        writer.apply({ posts: batch, position: null });
      } catch (error) {
        met++;
        if (!/full/.test((error as Error).message)) wrong.push(`the cause was hidden: ${(error as Error).message}`);
      }
      db.exec('PRAGMA max_page_count = 1073741823');
      writer.apply({ posts: batch, position: null });
      posts.push(...batch);
    }
    const inOrder = posts.toSorted((one, other) => Buffer.compare(one.oid, other.oid));
    wrong.push(...(await checkIndex(path, each(inOrder))).differences);
    for (const table of ['author', 'day', 'category', 'kind', 'month']) {
      const sum = new Query<{ posts: number }>(db, `SELECT sum(posts) AS posts FROM ${table}`).first()?.posts;
      if (sum !== posts.length) wrong.push(`${table} counts ${sum} of ${posts.length} posts`);
    }
    return { moments: met, posts: writer.summary().posts, wrong };
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Limits how far this file may grow. */
function leavePages(db: IndexFile, pages: number): void {
  const used = new Query<{ page_count: number }>(db, 'PRAGMA page_count').first()?.page_count ?? 0;
  db.exec(`PRAGMA max_page_count = ${used + pages}`);
}

async function* each(posts: IndexedPost[]): AsyncGenerator<IndexedPost> {
  yield* posts;
}
