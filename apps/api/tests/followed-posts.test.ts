import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { type Database, openDatabase } from '../src/db/database.ts';
import { ensureIndexes } from '../src/db/indexes.ts';
import { FollowedPostStore } from '../src/posts/followed-post-store.ts';

const MANY = 70_000;
/** So long that the list exceeds one answer of the database, which is limited to 16 MB. */
const LONG = 'a'.repeat(240);

let database: Database;
let followed: FollowedPostStore;

beforeAll(async () => {
  database = await openDatabase(process.env['MONGODB_URI'] as string, `test_${randomBytes(6).toString('hex')}`);
  followed = new FollowedPostStore(database.db);
  await ensureIndexes(database.db);
});

afterAll(async () => {
  await database.db.dropDatabase();
  await database.close();
});

let serial = 0;

function postOf(authorId: string, more: object = {}): Document {
  const id = `bsky-${serial++}`;
  return { id, ids: [id], fingerprint: id, authorId, origin: { capture: { method: 'bluesky' } }, ...more };
}

test('authors are those of whom the platform has told, by names that it can know, however many they are', async () => {
  const posts = database.db.collection('posts');
  const nameOf = (at: number) => `did:web:${LONG}.${at}`;
  for (let from = 0; from < MANY; from += 10_000) {
    const some = Array.from({ length: 10_000 }, (_, at) => postOf(nameOf(from + at), { isFromPlatform: true }));
    await posts.insertMany(some);
  }
  const [claimed, real] = ['did:web:claimed.example', 'did:web:real.example'];
  await posts.insertMany([
    postOf(claimed),
    postOf('did:x', { isFromPlatform: true }),
    postOf('12345', { isFromPlatform: true }),
    postOf(real, { isFromPlatform: true }),
    postOf(real, { isFromPlatform: true }),
  ]);
  const all = await followed.authors(MANY + 1);
  expect(all.size).toBe(MANY + 1);
  expect([claimed, 'did:x', '12345', real].filter((did) => all.has(did))).toEqual([real]);
  // The authors whose posts were saved last.
  expect(await followed.authors(2)).toEqual(new Set([real, nameOf(MANY - 1)]));
});
