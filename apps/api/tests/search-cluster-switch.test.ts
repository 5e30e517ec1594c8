import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArchivePage } from '@archive/contracts';
import { type ApiProcess, freePort, ROOT, run, startApi } from '@archive/processes';
import { call } from '@archive/testing';
import { generatePosts } from '@archive/testing/generate-posts';
import { SERIES_MS, until } from '@archive/tiers';
import { afterAll, expect, it } from '@jest/globals';
import { questions } from '../bench/archive-questions.ts';
import { AgentKeyStore } from '../src/accounts/agent-key-store.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const POSTS = 3_000;
const QUESTION_EVERY_MS = 50;
const SAVE_EVERY = 10;
const COMPARED = 60;
/** Fields that depend on the moment. */
const OWN_FIELDS = /"(took|requestId)":[^,}]+/g;

const folder = mkdtempSync(join(tmpdir(), 'search-switch-'));
const serving: ApiProcess[] = [];
let seeds: TestApi;

afterAll(async () => {
  await Promise.all(serving.map((api) => api.stop()));
  await seeds?.close();
  rmSync(folder, { recursive: true, force: true });
});

it(
  'goes from files to the cluster and back, a process at a time, without an error',
  async () => {
    seeds = await startTestApi({ env: { SEARCH_URL: '' } });
    await seeds.add(...(JSON.parse(JSON.stringify([...generatePosts(POSTS, 41)])) as object[]));
    const { db } = seeds.context.database;
    const { key } = await new AgentKeyStore(db).create('switch');
    const uri = new URL(process.env['MONGODB_URI'] as string);
    uri.pathname = `/${db.databaseName}`;
    const common = { RATE_LIMITS: 'off', LOG_LEVEL: 'error', SEARCH_URL: '' };
    const cluster = {
      SEARCH_URL: process.env['TEST_SEARCH_URL'],
      SEARCH_INDEX: `switch_${randomBytes(6).toString('hex')}`,
    };
    const start = async (name: string, search: object = {}) => {
      const env = { ...common, ...search };
      const port = await freePort();
      serving.push(await startApi({ port, mongodbUri: uri.href, dataDir: join(folder, name), env }));
    };
    /** Takes a process out of service before it ends, as a proxy does. */
    const end = async () => {
      const api = serving.shift() as ApiProcess;
      await api.stop();
      expect(api.process.exitCode).toBe(0);
    };

    await start('one');
    await start('two');
    const wrong: string[] = [];
    let asked = 0;
    let saved = 0;
    let isOver = false;
    const filters = questions(200);
    const askOne = async (turn: number) => {
      const query = new URLSearchParams(filters[turn % filters.length] as never);
      const paths = [`/amber/archives?${query}`, `/amber/timeline?${query}`, '/amber/explore', '/feed.json'];
      const path = paths[turn % paths.length] as string;
      for (let attempt = 0; attempt < 2; attempt++) {
        const api = serving[(turn + attempt) % serving.length] as ApiProcess;
        const answer = await fetch(api.url + path).catch(() => null);
        await answer?.arrayBuffer();
        if (answer && answer.status < 500) return;
        // A process that has ended refuses connections, so try another one.
        if (answer || attempt > 0) wrong.push(`${path}: ${answer?.status ?? 'no answer'}`);
        if (answer) return;
      }
    };
    const saveOne = async () => {
      const post = newPost({ id: `switched-${++saved}`, content: `leeboard ${saved}` });
      const { status } = await call(serving.at(-1) as ApiProcess, 'POST', '/amber/archives', key, { posts: [post] });
      if (status >= 300) wrong.push(`a save was answered ${status}`);
    };
    const work = (async () => {
      const open = new Set<Promise<void>>();
      for (; !isOver; asked++) {
        const one: Promise<void> = askOne(asked).finally(() => open.delete(one));
        open.add(one);
        if (asked % SAVE_EVERY === 0) await saveOne();
        await delay(QUESTION_EVERY_MS);
      }
      await Promise.all(open);
    })();
    const agree = async () => {
      const paths = filters
        .slice(0, COMPARED)
        .map((filter) => `/amber/archives?${new URLSearchParams(filter as never)}`);
      for (const path of paths) {
        await until(async () => {
          const bodies = await Promise.all(
            serving.map(async ({ url }) =>
              (await (await fetch(url + path)).text()).replace(OWN_FIELDS, '').replaceAll(url, ''),
            ),
          );
          return bodies.every((body) => body === bodies[0]);
        });
      }
    };

    const built = await run(process.execPath, [join(ROOT, 'apps/api/dist/cli.js'), 'index', 'build'], {
      env: { ...common, ...cluster, MONGODB_URI: uri.href, DATA_DIR: join(folder, 'cli') },
      quiet: true,
    });
    expect(built).toMatchObject({ code: 0, output: expect.stringContaining('The index of the search cluster holds') });
    await start('three', cluster);
    await end();
    await agree();
    await start('four', cluster);
    await end();
    // Adds one process and ends one.
    await start('five', cluster);
    await agree();
    await end();
    await start('six');
    await end();
    await agree();
    await start('seven');
    await end();
    isOver = true;
    await work;
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(200);
    for (const { url } of serving) {
      await until(async () => {
        const found = await fetch(`${url}/amber/archives?search=leeboard`);
        return ((await found.json()) as ArchivePage).pagination.total === saved;
      });
    }
  },
  SERIES_MS,
);
