import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, until } from '@archive/tiers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { type EmbeddedMongo, openEmbeddedMongo } from '../src/index.ts';

const JOURNALED = { writeConcern: { w: 1, j: true } } as const;

let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-test-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('one engine', () => {
  let mongo: EmbeddedMongo;
  let client: MongoClient;

  beforeAll(async () => {
    mongo = await openEmbeddedMongo({ directory: join(folder, 'one'), cacheMegabytes: 256 });
    client = new MongoClient(mongo.uri, JOURNALED);
  });

  afterAll(async () => {
    await client.close();
    await mongo.close();
  });

  test('is joined by another process, which sees the same data', async () => {
    const other = await openInAnotherProcess('one');
    expect(other).toMatchObject({ uri: mongo.uri, pid: mongo.pid() });
  });

  test('lets go of the files of what was dropped, of which a machine allows only so many', async () => {
    const openFiles = () => readdirSync(`/proc/${mongo.pid()}/fd`).length;
    for (const name of ['one', 'two', 'three']) {
      const db = client.db(name);
      const indexes = [{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }];
      await Promise.all(Array.from({ length: 40 }, (_, at) => db.collection(`c${at}`).createIndexes(indexes)));
      // One file per collection and per index, of which each collection has four.
      expect(openFiles()).toBeGreaterThan(200);
      await db.dropDatabase();
    }
    // The engine closes dropped files after a checkpoint, which runs every minute and with this command.
    await client.db('admin').command({ fsync: 1 });
    await until(() => openFiles() < 200);
  });

  test('refuses commands about sessions and goes on', async () => {
    const before = mongo.pid();
    for (const command of [{ startSession: 1 }, { endSessions: [] }, { refreshSessions: [] }, { StartSession: 1 }]) {
      await expect(client.db('admin').command(command)).rejects.toMatchObject({ code: 115 });
    }
    await expect(client.db('admin').command({ ping: 1 })).resolves.toMatchObject({ ok: 1 });
    expect(mongo.pid()).toBe(before);
  });

  test('is never sent a command about sessions by the driver, its closing included', async () => {
    const watched = new MongoClient(mongo.uri, { ...JOURNALED, monitorCommands: true });
    const sent = new Set<string>();
    watched.on('commandStarted', (event) => sent.add(event.commandName));
    const posts = watched.db('test').collection('driver');
    await posts.insertOne({ a: 1 });
    await posts.find().toArray();
    await watched.close();
    expect([...sent].sort()).toEqual(['find', 'insert']);
  });

  test('answers queries with several plans and few results, which its default planner cannot', async () => {
    const posts = client.db('test').collection('plans');
    await posts.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }]);
    await posts.insertMany(
      Array.from({ length: 20_000 }, (_, i) => ({ a: i % 50, b: (i * 7) % 60, c: i, text: `${i}` })),
    );
    const wanted = { a: { $gte: 3 }, b: { $gte: 3 }, c: { $gt: 5 }, text: 'absent' };
    expect(await posts.find(wanted).toArray()).toEqual([]);
  });

  test('has the cache it was asked for', async () => {
    const { wiredTiger } = await client.db('admin').command({ serverStatus: 1 });
    expect(wiredTiger.cache['maximum bytes configured']).toBe(256 * 1024 * 1024);
  });

  test('takes documents and batches of many megabytes', async () => {
    const posts = client.db('test').collection('large');
    const text = 'x'.repeat(15_000_000);
    await posts.insertMany([{ text }, { text }, { text }]);
    expect((await posts.find().toArray()).map((post) => post['text'].length)).toEqual(Array(3).fill(text.length));
  });
});

test('restarts after kill -9 at the same address, with every acknowledged write', async () => {
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'crash'), cacheMegabytes: 256 });
  const client = new MongoClient(mongo.uri, JOURNALED);
  const posts = client.db('test').collection<{ _id: number }>('posts');
  const acknowledged: number[] = [];
  for (const round of [1, 2]) {
    let running = true;
    const writer = async (from: number) => {
      for (let id = from; running; id += 8) {
        if (
          await posts.insertOne({ _id: id }).then(
            () => true,
            () => false,
          )
        )
          acknowledged.push(id);
      }
    };
    const writers = Array.from({ length: 8 }, (_, i) => writer(round * 1_000_000 + i));
    const enough = acknowledged.length + 200;
    await until(() => acknowledged.length >= enough);
    const engine = mongo.pid() ?? 0;
    process.kill(engine, 'SIGKILL');
    await until(() => ![undefined, engine].includes(mongo.pid()));
    running = false;
    await Promise.all(writers);
  }
  const kept = new Set((await posts.find().toArray()).map((post) => post._id));
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  await client.close();
  await mongo.close();
});

test('outlives its starter and ends when the last client is killed', async () => {
  const [first, second] = await Promise.all([openInAnotherProcess('ends'), openInAnotherProcess('ends')]);
  expect(first.pid).toBe(second.pid);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const client = new MongoClient(second.uri);
  await expect(client.db('admin').command({ ping: 1 })).resolves.toMatchObject({ ok: 1 });
  await client.close();
  expect(isAlive(second.pid)).toBe(true);
  second.child.kill('SIGKILL');
  await until(() => !isAlive(second.pid));
});

test('is opened anew by its clients when its supervisor is killed, and the old engine does not stay', async () => {
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'orphan'), cacheMegabytes: 256 });
  const engine = mongo.pid() ?? 0;
  process.kill(supervisorOf(engine), 'SIGKILL');
  await until(() => !isAlive(engine));
  await until(() => ![undefined, engine].includes(mongo.pid()));
  await mongo.close();
});

test('has stopped when its last client has closed, and opens again', async () => {
  const directory = join(folder, 'again');
  for (const round of [1, 2]) {
    const mongo = await openEmbeddedMongo({ directory, cacheMegabytes: 256 });
    const client = new MongoClient(mongo.uri, JOURNALED);
    await client.db('test').collection('rounds').insertOne({ round });
    expect(await client.db('test').collection('rounds').countDocuments()).toBe(round);
    await client.close();
    const engine = mongo.pid() ?? 0;
    await mongo.close();
    expect(isAlive(engine)).toBe(false);
  }
});

/** Opens the engine over a folder of this test in another process, which tsx runs as an ES module. */
async function openInAnotherProcess(name: string): Promise<{ child: ChildProcess; uri: string; pid: number }> {
  const script = join(__dirname, '_client.mjs');
  const child = spawn(process.execPath, ['--import', 'tsx', script, join(folder, name)], {
    cwd: __dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  return { child, ...JSON.parse(String(line)) };
}

function supervisorOf(engine: number): number {
  const stat = readFileSync(`/proc/${engine}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
