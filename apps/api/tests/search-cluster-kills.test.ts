import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArchivePage } from '@archive/contracts';
import { type LocalSearch, openLocalSearch } from '@archive/local-search';
import { type ApiProcess, freePort, startApi } from '@archive/processes';
import { seeded } from '@archive/testing/generate-posts';
import { cases, SERIES_MS, until } from '@archive/tiers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import { PostsForIndex } from '../src/posts/posts-for-index.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const KILLS = Number(process.env['KILLS'] ?? cases({ quick: 3, full: 12 }));
/** Another process shows a change so long after it was acknowledged. */
const ELSEWHERE_MS = 2_000;
const TARGETS = ['node', 'api', 'index', 'nodes'] as const;

let folder: string;
let cluster: LocalSearch;
let writer: TestApi;
let reader: ApiProcess;
let startReader: () => Promise<ApiProcess>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'search-kills-'));
  cluster = await openLocalSearch({ folder: join(folder, 'cluster') });
  const databaseName = `test_${randomBytes(6).toString('hex')}`;
  const env = { SEARCH_URL: cluster.url, SEARCH_INDEX: 'kills', RATE_LIMITS: 'off' };
  writer = await startTestApi({ env, overrides: { databaseName } });
  const uri = new URL(process.env['MONGODB_URI'] as string);
  uri.pathname = `/${databaseName}`;
  const port = await freePort();
  startReader = () =>
    startApi({ port, mongodbUri: String(uri), dataDir: join(folder, 'reader'), env: { ...env, LOG_LEVEL: 'error' } });
  reader = await startReader();
}, SERIES_MS);

afterAll(async () => {
  await reader?.stop();
  await writer?.close();
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
});

it(
  `keeps every answer right through ${KILLS} kills, and agrees with the database after`,
  async () => {
    const chance = seeded(30);
    const live: string[] = [];
    /** How many posts there were at least, by when that was acknowledged. */
    let least = [{ at: 0, posts: 0 }];
    const gone = new Set<string>();
    const note = () => {
      least = [...least.filter(({ at }, index) => index === least.length - 1 || at > performance.now() - 60_000)];
      least.push({ at: performance.now(), posts: live.length });
    };
    const wrong: string[] = [];
    const seen = { answered: 0, refused: 0 };
    let isOver = false;
    let serial = 0;

    const write = async () => {
      for (; !isOver; await delay(20)) {
        const some = Array.from({ length: 20 }, () =>
          newPost({ id: `kill-${++serial}`, content: `kelp word${serial}` }),
        );
        await writer.add(...some);
        live.push(...some.map(({ id }) => String(id)));
        note();
        if (chance() < 0.3) {
          const [id] = live.splice(Math.floor(chance() * live.length), 1);
          // Before it is begun: from then on fewer may be shown.
          note();
          least = least.map((one) => ({ ...one, posts: Math.min(one.posts, live.length) }));
          const post = await writer.context.posts.store.find(id as string);
          await writer.context.posts.store.remove(post?._id as ObjectId);
          gone.add(id as string);
        }
      }
    };
    const ask = async (url: () => string, lateMs: number) => {
      for (let asked = 0; !isOver; asked++) {
        const before = performance.now() - lateMs;
        const must = least.findLast(({ at }) => at <= before)?.posts ?? 0;
        const answer = await fetch(`${url()}/amber/archives?limit=12&search=kelp&cb=${asked}`).catch(() => null);
        const body = answer?.status === 200 ? ((await answer.json()) as ArchivePage) : null;
        if (!body) {
          seen.refused++;
          await delay(20);
          continue;
        }
        seen.answered++;
        const now = Math.min(must, live.length);
        if (body.pagination.total < now) wrong.push(`${body.pagination.total} posts, not ${now} at least`);
        const shown = body.data.find(({ id }) => gone.has(id));
        if (shown) wrong.push(`${shown.id} was removed`);
      }
    };
    const kill = async (target: (typeof TARGETS)[number]) => {
      if (target === 'node') {
        const at = Math.floor(chance() * 3);
        await cluster.kill(at);
        await delay(1_000 + chance() * 2_000);
        await cluster.restart(at);
      } else if (target === 'nodes') {
        await Promise.all([0, 1, 2].map((at) => cluster.kill(at)));
        await Promise.all([0, 1, 2].map((at) => cluster.restart(at)));
      } else if (target === 'api') {
        reader.process.kill('SIGKILL');
        await reader.ended;
        reader = await startReader();
      } else {
        const found = await fetch(`${cluster.nodes[0]?.url}/_alias/kills`);
        const names = Object.keys((await found.json()) as object);
        if (found.status === 200) await fetch(`${cluster.nodes[0]?.url}/${names.join()}`, { method: 'DELETE' });
      }
    };
    const work = [write(), ask(() => writer.url, 0), ask(() => reader.url, ELSEWHERE_MS)];
    for (let at = 0; at < KILLS; at++) {
      await delay(500 + chance() * 3_000);
      await kill(TARGETS[at % TARGETS.length] as 'node');
      await cluster.untilGreen();
    }
    isOver = true;
    await Promise.all(work);
    const { database, reactions, posts } = writer.context;
    const source = new PostsForIndex(database.db, reactions.store);
    let differences: string[] | null = null;
    await until(async () => {
      differences = await posts.index.check(source.walkLive()).then(
        (report) => report.differences,
        (error) => [String(error)],
      );
      return differences.length === 0;
    }).catch(() => {});
    expect(differences).toEqual([]);
    expect(wrong).toEqual([]);
    expect(seen.answered).toBeGreaterThan(KILLS);
    console.log(seen, serial);
  },
  SERIES_MS,
);
