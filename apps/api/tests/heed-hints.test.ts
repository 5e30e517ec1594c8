import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { type HintNeeds, heedHints } from '../src/agent/heed-hints.ts';
import { HintStore } from '../src/agent/hint-store.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { ArrivedPostStore, LOOK_CLAIMED_MS } from '../src/posts/arrived-post-store.ts';
import { FollowedPostStore } from '../src/posts/followed-post-store.ts';
import { PostChanges } from '../src/posts/post-changes.ts';

const DID = 'did:plc:ragtjsm2j2vknwkz3zp4oxrd';
const START = Date.UTC(2026, 10, 22);
const NOBODY = new AbortController().signal;
const LEFT = { did: DID, id: null, says: 'gone' } as const;

let database: Database;
let now: Date;
let needs: HintNeeds;

beforeAll(async () => {
  database = await openDatabase(process.env['MONGODB_URI'] as string, `test_${randomBytes(6).toString('hex')}`);
});

afterAll(async () => {
  await database.db.dropDatabase();
  await database.close();
});

const posts = () => database.db.collection('posts');
const hints = () => database.db.collection('look_hints');
const at = (ms: number) => new Date(ms);

beforeEach(async () => {
  await posts().deleteMany({});
  await hints().deleteMany({});
  now = at(START);
  const { db } = database;
  needs = {
    database: { db, clock: { now: () => now } } as never,
    posts: { arrived: new ArrivedPostStore(db, new PostChanges()), followed: new FollowedPostStore(db) },
    hints: new HintStore(db),
  };
  await posts().insertMany(
    Array.from({ length: 30 }, (_, number): Document => {
      const id = `bsky-${number}`;
      const source = { state: 'live', checkedAt: at(START - 1_000) };
      const origin = { capture: { method: 'bluesky' } };
      return { id, ids: [id], fingerprint: id, authorId: DID, isFromPlatform: true, origin, source };
    }),
  );
});

/** Stands in for the agent's check of due posts. The AppView still shows them. */
const look = () =>
  posts().updateMany({ lookDueAt: { $lte: now } }, { $set: { 'source.checkedAt': now }, $unset: { lookDueAt: '' } });

/** Runs the agent's work from one due time to the next. Returns the number of checks. */
async function pass(ms: number, each = async () => ({ modifiedCount: 0 })): Promise<number> {
  const end = at(now.getTime() + ms);
  let looks = 0;
  for (;;) {
    const next = await hints().find().sort({ dueAt: 1 }).limit(1).next();
    if (!next || next['dueAt'] > end) break;
    now = next['dueAt'];
    await heedHints(needs, NOBODY);
    now = at(now.getTime() + 100);
    if ((await each()).modifiedCount > 0) looks++;
  }
  now = end;
  return looks;
}

test('what nobody could look at is not given up, and the others follow where it proves true', async () => {
  await needs.hints.add([LEFT], now);
  await pass(3 * 3_600_000);
  expect(await hints().countDocuments({ tries: { $lte: 1 } })).toBe(1);
  // One of these posts is gone now, which confirms the hint.
  const hurried = await posts()
    .find({ lookDueAt: { $exists: true } })
    .toArray();
  expect(hurried).toHaveLength(25);
  await posts().deleteOne({ id: hurried[0]?.['id'] });
  await pass(6 * 60_000);
  expect(await posts().countDocuments({ lookDueAt: { $exists: true } })).toBe(29);
});

test('looked at five times in vain, it is given up', async () => {
  await needs.hints.add([LEFT, { did: DID, id: 'bsky-1', says: 'gone' }], now);
  expect(await pass(2 * 3_600_000, look)).toBe(5);
  expect(await hints().countDocuments()).toBe(0);
});

test('a hint hurries no look claimed within the last 30 s, and every other', async () => {
  const claimedMs = LOOK_CLAIMED_MS;
  const dueIn = {
    'bsky-1': claimedMs,
    'bsky-2': claimedMs - 29_999,
    'bsky-3': claimedMs - 30_000,
    'bsky-4': claimedMs + 1,
  };
  for (const [id, ms] of Object.entries(dueIn))
    await posts().updateOne({ id }, { $set: { lookDueAt: at(START + ms) } });
  await needs.posts.arrived.hurryLooks({ ids: Object.keys(dueIn) }, now);
  const hurried = await posts()
    .find({ lookDueAt: at(0) })
    .sort({ id: 1 })
    .toArray();
  expect(hurried.map(({ id }) => id)).toEqual(['bsky-3', 'bsky-4']);
});

test('a look that was under way before does not count for it', async () => {
  await needs.hints.add([{ did: DID, id: 'bsky-1', says: 'gone' }], now);
  // A check that started just before the stream's message.
  await posts().updateOne({ id: 'bsky-1' }, { $set: { lookDueAt: at(START + 300_000) } });
  await pass(4_000);
  await posts().updateOne({ id: 'bsky-1' }, { $unset: { lookDueAt: '' } });
  await pass(30_000);
  expect(await hints().findOne()).toMatchObject({ tries: 1 });
  expect(await posts().countDocuments({ id: 'bsky-1', lookDueAt: { $lte: now } })).toBe(1);
});
