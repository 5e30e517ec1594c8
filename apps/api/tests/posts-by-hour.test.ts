import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { connectDatabase, type Database } from '../src/db/database.ts';
import { PostsByHour } from '../src/reports/posts-by-hour.ts';

const HOUR_MS = 3_600_000;
const FIRST = 500_000;

describe('posts by the hour', () => {
  let database: Database;
  const put = (...atMs: number[]) =>
    database.db.collection('posts').insertMany(atMs.map((at) => ({ _id: ObjectId.createFromTime(at / 1_000), at })));

  beforeAll(async () => {
    database = await connectDatabase(process.env['MONGODB_URI'] ?? '', `test_${randomBytes(6).toString('hex')}`);
  });

  afterAll(async () => {
    await database.db.dropDatabase();
    await database.close();
  });

  it('counts each in the hour it came in, and what is long over once', async () => {
    const start = FIRST * HOUR_MS;
    await put(start - 1_000, start, start + HOUR_MS - 1_000, start + HOUR_MS, start + 3 * HOUR_MS);
    const counts = new PostsByHour(database.db);
    const now = new Date(start + 2.5 * HOUR_MS);
    expect(await counts.count(FIRST, 3, now)).toEqual([2, 1, 0]);

    await put(start + 1_000, now.getTime() - 60_000);
    expect(await counts.count(FIRST, 3, now)).toEqual([2, 1, 1]);
    expect(await new PostsByHour(database.db).count(FIRST, 3, now)).toEqual([3, 1, 1]);
  });

  it('counts an hour anew that ended a moment ago', async () => {
    const counts = new PostsByHour(database.db);
    const first = FIRST + 100;
    const now = new Date((first + 1) * HOUR_MS + 60_000);
    expect(await counts.count(first, 1, now)).toEqual([0]);
    await put((first + 1) * HOUR_MS - 1_000);
    expect(await counts.count(first, 1, now)).toEqual([1]);
  });
});
