import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@archive/tiers';
import express from 'express';
import { MongoClient } from 'mongodb';
import pino from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type Context, type ContextOverrides, createContext } from '../src/context.ts';
import { INDEXES } from '../src/db/indexes.ts';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import { checkAnswers } from './_answer-check.ts';

const WORKER = join(__dirname, '../dist/worker.js');
const DOCS = join(__dirname, '../dist/docs');

/**
 * Names of empty databases with all indexes, for reuse, because creating the indexes takes longer than most tests. Jest
 * loads this module again for each test file, so the names are stored on the process.
 */
const KEY = Symbol.for('spare databases');
const worker = process as unknown as { [KEY]?: string[] };
worker[KEY] ??= [];
const spare = worker[KEY];

export interface TestApi {
  /** A listening server: for one that does not listen, supertest opens a port per call. */
  app: Server;
  context: Context;
  url: string;
  /** Ingests posts as an agent does. Throws if a post is invalid. */
  add(...posts: object[]): Promise<void>;
  /** Stops the API and empties or drops its database. `keepDatabase` leaves it for another API of the test. */
  close(options?: { keepDatabase?: boolean }): Promise<void>;
}

/** Starts the whole API with its own database and its own index. */
export async function startTestApi(
  options: { env?: Record<string, string>; overrides?: ContextOverrides; start?: boolean } = {},
): Promise<TestApi> {
  const dataDir = mkdtempSync(join(tmpdir(), 'test-api-'));
  const config = readConfig({
    MONGODB_URI: process.env['MONGODB_URI'],
    DATA_DIR: dataDir,
    PORT: '4000',
    // Test machines may have little free disk space.
    DISK_FLOOR: '0',
    ...searchOf(process.env['TEST_SEARCH_URL']),
    ...options.env,
  });
  const own = options.overrides?.databaseName ? null : (spare.pop() ?? `test_${randomBytes(6).toString('hex')}`);
  const context = await createContext(config, WORKER, {
    ...(own && { databaseName: own }),
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    ...options.overrides,
  });
  await context.featuring.offer.start();
  if (options.start !== false) {
    await context.posts.follower.start();
    await until(() => context.posts.follower.progress.phase === 'ready');
  }
  const product = express().disable('x-powered-by').use(checkAnswers(), createApp(context, DOCS));
  // The product's timeout: with a shorter one, the server might close a connection while a call is being sent on it.
  const app = await listen(createServer({ keepAliveTimeout: 65_000 }, product));
  return {
    app,
    context,
    url: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
    async add(...posts) {
      for (let at = 0; at < posts.length; at += 1_000) {
        const report = await ingestPosts(context, posts.slice(at, at + 1_000));
        if (report.invalid > 0) throw new Error(JSON.stringify(report.results.find((one) => one.status === 'invalid')));
      }
    },
    async close({ keepDatabase = false } = {}) {
      app.closeAllConnections();
      await new Promise((resolve) => app.close(resolve));
      // The audit log writes its last entries before the database is dropped.
      await context.audit.stop();
      if (!own && !keepDatabase) await context.database.db.dropDatabase();
      await context.background.stop();
      if (own && !keepDatabase) await empty(own);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Empties a database that no API uses, but keeps the collections that every start creates. */
async function empty(name: string): Promise<void> {
  const client = await MongoClient.connect(process.env['MONGODB_URI'] as string, { maxPoolSize: 1 });
  try {
    for (const collection of await client.db(name).collections())
      await (collection.collectionName in INDEXES ? collection.deleteMany() : collection.drop());
  } finally {
    await client.close();
  }
  spare.push(name);
}

/** The settings of the shared test cluster, with an index name of its own. */
function searchOf(url: string | undefined): Record<string, string> {
  if (!url) return {};
  return { SEARCH_URL: url, SEARCH_INDEX: `test_${randomBytes(6).toString('hex')}` };
}

let serial = 0;

/** A valid new post with these fields changed. */
export function newPost(fields: Record<string, unknown> = {}): Record<string, unknown> {
  serial++;
  return {
    id: `9000000000000${String(serial).padStart(6, '0')}`,
    content: `post number ${serial}`,
    author: 'Ada Byron',
    authorUsername: 'adabyron',
    category: 'tech',
    timestamp: new Date(Date.UTC(2026, 0, 1) + serial * 60_000).toISOString(),
    url: 'https://x.com/adabyron/status/1',
    ...fields,
  };
}

function listen(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
