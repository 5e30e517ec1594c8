import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { toRemoval } from '../indexed-post.ts';
import { aPost } from '../testing/a-post.ts';
import { openForWriting } from './index-file.ts';
import { IndexWriter } from './writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'gone-'));

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test('since when removed words are in the file is the first removal, also after a batch that failed', async () => {
  const { db, isEmpty } = openForWriting(join(folder, 'index.sqlite'), 'test');
  const writer = new IndexWriter(db, isEmpty);
  const posts = [1, 2, 3].map((n) => aPost({ oid: Buffer.alloc(12, n), at: n, content: `words ${n}` }));
  await writer.apply({ posts, position: null });
  writer.finishBuild();
  const now = jest.spyOn(Date, 'now').mockReturnValue(1_000);
  const remove = (n: number) => writer.apply({ posts: [toRemoval(Buffer.alloc(12, n))], position: null });
  await remove(1);
  expect(() => writer.apply({ posts: [{ ...aPost({}), content: null as never }], position: null })).toThrow();
  now.mockReturnValue(2_000);
  await remove(2);
  expect(writer.summary()).toMatchObject({ posts: 1, goneSince: 1_000 });
  db.close();
});
