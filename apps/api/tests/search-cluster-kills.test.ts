import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArchivePage } from '@archive/contracts';
import { type LocalSearch, openLocalSearch } from '@archive/local-search';
import { type ApiProcess, freePort, startApi } from '@archive/processes';
import { call } from '@archive/testing';
import { seeded } from '@archive/testing/generate-posts';
import { cases, SERIES_MS, until } from '@archive/tiers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import { AgentKeyStore } from '../src/accounts/agent-key-store.ts';
import { PostsForIndex } from '../src/posts/posts-for-index.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const KILLS = Number(process.env['KILLS'] ?? cases({ quick: 1, full: 12 }));
/** The number of network partitions, and their length. Network namespaces need root. */
const isApart = process.getuid?.() === 0;
const CUTS = isApart ? Number(process.env['CUTS'] ?? 1) : 0;
const CUT_MS = 60_000;
/** Milliseconds before a hanging series ends: several times its expected length. */
const LONGEST_MS = SERIES_MS + KILLS * 90_000 + CUTS * 3 * CUT_MS;
const BLOCKED_MS = 5_000;
/** From this many posts on, fewer are saved, because each build takes longer. */
const MANY = 20_000;
/** Milliseconds after which another process must show an acknowledged change. */
const ELSEWHERE_MS = 2_000;
/** The share of the saves that go to the process that is killed. */
const SHARE = 0.3;
/** A process learns after at most this time that it has lost its lease. */
const RENEW_MS = 5_000;
/** Step `build` kills the keeper within this time after the build has begun. No build is over by then. */
const BUILD_MS = 1_000;
/**
 * `build` deletes the index and kills the keeper while it builds another. `swap` does the same, but kills the keeper
 * once the new index is in use. `api` kills a process that may be the keeper.
 */
const TARGETS = ['build', 'nodes', 'swap', 'keeper', 'node', 'api'] as const;
type Step = (typeof TARGETS)[number] | 'disk' | 'files' | 'network';
const STEPS: Step[] = [
  ...Array.from({ length: KILLS }, (_, at) => TARGETS[at % TARGETS.length] as Step),
  'disk',
  'files',
  ...Array.from({ length: CUTS }, () => 'network' as const),
];

interface Lease {
  _id: string;
  holder: string;
}
const KEEPER = 'index-keeper';

let folder: string;
let cluster: LocalSearch;
let writer: TestApi;
/** The writer's lease on the shared index. */
let lease: Lease;
let key: string;
let reader: ApiProcess;
let startReader: () => Promise<ApiProcess>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'search-kills-'));
  cluster = await openLocalSearch({ folder: join(folder, 'cluster'), isApart });
  const databaseName = `test_${randomBytes(6).toString('hex')}`;
  const hosts = cluster.nodes.map(({ url }) => new URL(url).hostname).join();
  const env = { SEARCH_URL: cluster.url, SEARCH_INDEX: 'kills', PRIVATE_HOSTS: hosts, RATE_LIMITS: 'off' };
  writer = await startTestApi({ env, overrides: { databaseName } });
  const { db } = writer.context.database;
  lease = await until(() => db.collection<Lease>('leases').findOne({ _id: KEEPER }));
  ({ key } = await new AgentKeyStore(db).create('kills'));
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

/** Kills the reader while it is the keeper, after `before`. Resolves as `killReader`, once another process is the keeper. */
async function killKeeper(before: () => Promise<void>): Promise<boolean> {
  const leases = writer.context.database.db.collection<Lease>('leases');
  // The writer loses its lease as if it had not renewed it. A killed keeper may still hold it.
  await leases.deleteOne({ _id: KEEPER });
  const { holder } = await until(async () => {
    await leases.deleteOne({ _id: KEEPER, holder: lease.holder });
    return leases.findOne({ _id: KEEPER, holder: { $ne: lease.holder } });
  });
  await delay(RENEW_MS);
  await before();
  const isThere = await killReader();
  await until(() => leases.findOne({ _id: KEEPER, holder: { $ne: holder } }));
  return isThere;
}

/** Kills the reader and starts it again. Returns whether the cluster held an index meanwhile. */
async function killReader(): Promise<boolean> {
  reader.process.kill('SIGKILL');
  await reader.ended;
  const { status } = await ofIndexes('GET', '_alias/kills');
  reader = await startReader();
  return status !== 404;
}

/** The status of a node's answer and its members, which are the names of indexes where indexes are asked for. */
async function ofIndexes(method: string, path: string): Promise<{ status: number; names: string[] }> {
  const answer = await fetch(`${cluster.nodes[0]?.url}/${path}`, { method });
  return { status: answer.status, names: Object.keys((await answer.json()) as object) };
}

/** Deletes the index and returns once the reader has begun to build another. */
async function untilBuilding(): Promise<void> {
  const { names } = await ofIndexes('GET', 'kills-posts-*');
  expect(await ofIndexes('DELETE', names.join())).toMatchObject({ status: 200 });
  await until(async () => {
    const { search } = (await (await fetch(`${reader.url}/ready`)).json()) as { search: string | null };
    return search?.startsWith('building: ');
  });
}

async function set(settings: object): Promise<void> {
  const answer = await fetch(`${cluster.nodes[0]?.url}/kills-posts-*/_settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(settings),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Truncates the largest file of each shard to half, on every node. */
function tearFiles(): void {
  const files = readdirSync(join(folder, 'cluster'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith('/index'))
    .map((entry) => join(entry.parentPath, entry.name));
  const largest = new Map<string, string>();
  for (const file of files) {
    const shard = join(file, '..');
    const held = largest.get(shard);
    if (!held || statSync(file).size > statSync(held).size) largest.set(shard, file);
  }
  for (const file of largest.values()) truncateSync(file, Math.floor(statSync(file).size / 2));
}

it(
  `keeps every answer right through ${STEPS.length} failures, and agrees with the database after`,
  async () => {
    const chance = seeded(Number(process.env['SEED'] ?? 30));
    const live: string[] = [];
    /** How many posts were saved, by the time of acknowledgement. */
    let saves = [{ at: 0, posts: 0 }];
    /** Removals that have begun. From then on a count may be lower. */
    let removals = 0;
    /** When each removed post was gone. */
    const gone = new Map<string, number>();
    const wrong: string[] = [];
    const seen = { answered: 0, refused: 0 };
    let isOver = false;
    /** While a disk is full, new posts are found late. */
    let isLate = false;
    let serial = 0;

    const write = async () => {
      for (; !isOver; await delay(live.length < MANY ? 20 : 1_000)) {
        const some = Array.from({ length: 20 }, () =>
          newPost({ id: `kill-${++serial}`, content: `kelp word${serial}` }),
        );
        const saved = () => {
          const [at, posts] = [performance.now(), (saves.at(-1)?.posts ?? 0) + some.length];
          saves = [...saves.filter((one, index) => index === saves.length - 1 || one.at > at - 60_000), { at, posts }];
          live.push(...some.map(({ id }) => String(id)));
        };
        if (chance() < SHARE) {
          const { status } = await call(reader, 'POST', '/amber/archives', key, { posts: some });
          // A process that was killed, or that starts: the posts are sent again.
          if (status === 0 || status === 503) await writer.add(...some);
          else if (status >= 300) wrong.push(`a save was answered ${status}`);
          void delay(ELSEWHERE_MS).then(saved);
          continue;
        }
        await writer.add(...some);
        saved();
        if (chance() < 0.3) {
          const [id] = live.splice(Math.floor(chance() * live.length), 1);
          removals++;
          const post = await writer.context.posts.store.find(id as string);
          await writer.context.posts.store.remove(post?._id as ObjectId);
          gone.set(id as string, performance.now());
        }
      }
    };
    /** Returns how many answers came. */
    const ask = async (url: () => string, lateMs: number): Promise<number> => {
      let answered = 0;
      for (let asked = 0; !isOver; asked++) {
        const askedAt = performance.now();
        const must = saves.findLast(({ at }) => at <= askedAt - lateMs)?.posts ?? 0;
        const answer = await fetch(`${url()}/amber/archives?limit=12&search=kelp&cb=${asked}`).catch(() => null);
        const body = answer?.status === 200 ? ((await answer.json().catch(() => null)) as ArchivePage | null) : null;
        if (!body) {
          seen.refused++;
          await delay(20);
          continue;
        }
        answered++;
        seen.answered++;
        const least = must - removals;
        if (body.pagination.total < least && !isLate)
          wrong.push(`${body.pagination.total} posts, not ${least} at least, ${lateMs} ms late`);
        const shown = body.data.find(({ id }) => (gone.get(id) ?? askedAt) < askedAt);
        if (shown) wrong.push(`${shown.id} was removed`);
      }
      return answered;
    };
    const all = (act: (at: number) => Promise<void>) => Promise.all([0, 1, 2].map(act));
    const fail = async (target: Step) => {
      if (target === 'node') {
        const at = Math.floor(chance() * 3);
        await cluster.kill(at);
        await delay(1_000 + chance() * 2_000);
        await cluster.restart(at);
      } else if (target === 'nodes') {
        await all(cluster.kill);
        await all(cluster.restart);
      } else if (target === 'files') {
        await all(cluster.kill);
        tearFiles();
        await all(cluster.restart);
      } else if (target === 'network') {
        const at = Math.floor(chance() * 3);
        cluster.cut(at);
        await delay(CUT_MS);
        cluster.join(at);
      } else if (target === 'disk') {
        isLate = true;
        await set({ 'index.blocks.read_only_allow_delete': true });
        await delay(BLOCKED_MS);
        await set({ 'index.blocks.read_only_allow_delete': null });
        await until(() => !writer.context.posts.follower.isAway && writer.context.posts.follower.behindMs < 1_000);
        isLate = false;
      } else if (target === 'api') {
        await killReader();
      } else if (target === 'keeper') {
        await killKeeper(async () => {});
      } else {
        const isThere = await killKeeper(async () => {
          await untilBuilding();
          if (target === 'build') await delay(chance() * BUILD_MS);
          else await until(async () => (await ofIndexes('GET', '_alias/kills')).status === 200);
        });
        expect(isThere).toBe(target === 'swap');
      }
    };
    const work = [write(), ask(() => writer.url, 0), ask(() => reader.url, ELSEWHERE_MS)];
    const told: string[] = [];
    try {
      for (const step of STEPS) {
        await delay(500 + chance() * 3_000);
        const wrongBefore = wrong.length;
        const before = { ...seen };
        await fail(step);
        await cluster.untilGreen();
        if (wrong.length > wrongBefore) wrong.push(`(${step})`);
        const greenAt = performance.now();
        for (const url of [writer.url, reader.url]) {
          await until(async () => (await fetch(`${url}/amber/archives?search=${told.length}`)).status === 200);
        }
        const [answered, refused] = [seen.answered - before.answered, seen.refused - before.refused];
        const waited = Math.round((performance.now() - greenAt) / 1_000);
        told.push(`${step}: ${answered} answered, ${refused} refused, lists back ${waited} s after the nodes`);
      }
    } finally {
      isOver = true;
    }
    const answered = (await Promise.all(work)).slice(1) as number[];
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
    expect(await posts.store.countLive()).toBe(serial - removals);
    expect(Math.min(...answered)).toBeGreaterThan(STEPS.length);
    console.log(`${serial} posts saved`, told);
  },
  LONGEST_MS,
);
