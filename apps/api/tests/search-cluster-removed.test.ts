import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalSearch, openLocalSearch } from '@archive/local-search';
import { SERIES_MS, until } from '@archive/tiers';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

/** Letters that occur in no other post and no file of the engine. The index stores them as trigrams. */
const WORD = 'ꙮ\u{1f71d}ꙮ\u{1f71d}ꙮ';
const DAY_MS = 86_400_000;

let folder: string;
let cluster: LocalSearch;
let api: TestApi;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'search-removed-'));
  cluster = await openLocalSearch({ folder });
  const env = { SEARCH_URL: cluster.url, SEARCH_INDEX: 'removed' };
  api = await startTestApi({ env });
}, SERIES_MS);

afterAll(async () => {
  jest.restoreAllMocks();
  await api?.close();
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The files of a node that contain three letters of the word in a row. */
const filesWith = (at: number) =>
  readdirSync(join(folder, `n${at + 1}`), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      try {
        return readFileSync(file).includes([...WORD].slice(0, 3).join(''));
      } catch {
        // A merge deleted the file meanwhile.
        return false;
      }
    });
const flush = () => fetch(`${cluster.nodes[1]?.url}/removed/_flush?force=true`, { method: 'POST' });
const idsOf = (name: string) => Array.from({ length: 30 }, (_, at) => `${name}-${at}`);

/** Adds enough posts that each node holds some. */
async function addWords(name: string): Promise<void> {
  await api.add(...idsOf(name).map((id) => newPost({ id, content: `${WORD} ${id}` })));
  await cluster.untilGreen();
  await flush();
}

async function removeWords(name: string): Promise<void> {
  for (const id of idsOf(name)) {
    const post = await api.context.posts.store.find(id);
    if (post) await api.context.posts.store.remove(post._id);
  }
}

/** The current index by its own name. */
async function indexName(): Promise<string> {
  return Object.keys((await (await fetch(`${cluster.nodes[1]?.url}/_alias/removed`)).json()) as object).join();
}

const nodesWith = () => [0, 1, 2].filter((at) => filesWith(at).length > 0);

it(
  'a removed word is in no file of any node within a day, also of one that was away meanwhile',
  async () => {
    await api.add(newPost({ content: 'stays' }));
    await addWords('once');
    expect(nodesWith()).toEqual([0, 1, 2]);
    const name = await indexName();
    await cluster.kill(0);
    await removeWords('once');
    const { follower, index } = api.context.posts;
    await until(async () => (await index.summary().catch(() => null))?.posts === 1);
    await cluster.restart(0);
    await cluster.untilGreen();
    await flush();
    expect(await indexName()).toBe(name);
    expect((await index.summary()).goneSince).not.toBeNull();
    expect(nodesWith().length).toBeGreaterThan(0);
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + DAY_MS - 4 * 3_600_000);
    await until(async () => (await index.summary().catch(() => null))?.goneSince === null);
    await until(() => follower.trouble === null);
    await until(() => nodesWith().length === 0);
    expect((await index.summary()).posts).toBe(1);
  },
  SERIES_MS,
);

it(
  'a node that was away while another index was built holds nothing of the one before, once it is back',
  async () => {
    await addWords('again');
    // The cluster may still spread the shards over the nodes.
    await until(() => nodesWith().length === 3);
    await removeWords('again');
    await cluster.kill(2);
    await api.context.posts.follower.buildNow(() => {});
    await until(() => nodesWith().join() === '2');
    await cluster.restart(2);
    await cluster.untilGreen();
    await until(() => nodesWith().length === 0);
  },
  SERIES_MS,
);
