import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ArchivePage } from '@archive/contracts';
import { until } from '@archive/tiers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ownWork } from '../src/clients.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const nodes = (process.env['TEST_SEARCH_URL'] ?? '').split(',');

/** A stand-in for the first node: it forwards every request unless `misbehave` handles it. */
type Misbehaviour = (request: IncomingMessage, body: Buffer, response: ServerResponse) => boolean;
const BEHAVES: Misbehaviour = () => false;

let standIn: Server;
let misbehave: Misbehaviour;
let api: TestApi;

beforeEach(async () => {
  misbehave = BEHAVES;
  standIn = createServer(async (asked, response) => {
    const body = await buffer(asked);
    if (misbehave(asked, body, response)) return;
    const { method, headers } = asked;
    const passed = request(`${nodes[0]}${asked.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    passed.end(body);
  });
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  misbehave = BEHAVES;
  await api.close();
  standIn.closeAllConnections();
  standIn.close();
});

const standInUrl = () => `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;

async function list(search: string): Promise<{ status: number; code?: string; total?: number }> {
  const answer = await fetch(`${api.url}/amber/archives?search=${search}`);
  const body = (await answer.json()) as ArchivePage & { code?: string };
  return answer.status === 200
    ? { status: 200, total: body.pagination.total }
    : { status: answer.status, code: body.code as string };
}

async function ready(): Promise<{ search: string | null; waiting: number }> {
  return (await (await fetch(`${api.url}/ready`)).json()) as { search: string | null; waiting: number };
}

const answerJson = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const isBulk = ({ url }: IncomingMessage) => url?.startsWith('/_bulk') ?? false;

it('writes again what the cluster put off, whole or in part', async () => {
  api = await startTestApi({ env: { SEARCH_URL: standInUrl() } });
  let putOff = 0;
  misbehave = (asked, body, response) => {
    if (!isBulk(asked) || putOff >= 4) return false;
    putOff++;
    const error = { type: 'es_rejected_execution_exception', reason: 'the queue is full' };
    if (putOff % 2) answerJson(response, 429, { error, status: 429 });
    else {
      const items = Array.from({ length: body.toString().trim().split('\n').length / 2 }, () => ({
        index: { status: 429, error },
      }));
      answerJson(response, 200, { errors: true, items });
    }
    return true;
  };
  await api.add(newPost({ content: 'bobstay' }));
  expect([await list('bobstay'), putOff]).toEqual([{ status: 200, total: 1 }, 4]);
});

it.each<[string, Misbehaviour, string]>([
  [
    'index',
    ({ method, url }, _, response) => {
      if (method !== 'PUT' || !url?.includes('-posts-')) return false;
      answerJson(response, 400, { error: { type: 'validation_exception', reason: 'no more shards may be opened' } });
      return true;
    },
    'the search cluster refused a request: validation_exception no more shards may be opened',
  ],
  [
    'mark of a complete index',
    (asked, body, response) => {
      if (!isBulk(asked) || !body.includes('"kind":"whole"')) return false;
      const error = { type: 'mapper_parsing_exception', reason: 'no such kind' };
      answerJson(response, 200, { errors: true, items: [{ index: { status: 400, error } }] });
      return true;
    },
    'the mark of a complete index was refused: no such kind',
  ],
])('says why an index could not be built that is refused its %s, and builds it later', async (_, refusing, why) => {
  api = await startTestApi({ env: { SEARCH_URL: standInUrl() }, start: false });
  misbehave = refusing;
  await api.context.posts.follower.start();
  await until(async () => (await ready()).search?.endsWith(`its last attempt failed: ${why}`));
  misbehave = BEHAVES;
  await until(async () => (await list('capstan')).status === 200);
  // The replicas of a first index are made while it already answers.
  await until(async () => (await ready()).search === null);
});

it('asks the index that it has found whole, also of a node that still takes the alias for an emptied one', async () => {
  api = await startTestApi({ env: { SEARCH_URL: standInUrl() } });
  await api.add(newPost({ content: 'capstan' }));
  const { config, posts } = api.context;
  const nothing = {
    timed_out: false,
    _shards: { total: 1, successful: 1, failed: 0 },
    hits: { total: { value: 0, relation: 'eq' }, hits: [] },
  };
  misbehave = ({ url }, body, response) => {
    if (!url?.startsWith(`/${config.search?.name}/`) || !/\/_m?search\?/.test(url)) return false;
    const searches = body.toString().trim().split('\n').length / 2;
    answerJson(response, 200, { ...nothing, responses: Array.from({ length: searches }, () => nothing) });
    return true;
  };
  const [now, asker] = [Date.now(), { client: ownWork('a test') }];
  const { total } = await posts.index.ask('explore', { now }, asker);
  const { counts } = await posts.index.ask('timeline', { filter: {}, now }, asker);
  const exported: Uint8Array[] = [];
  const sort = { sortBy: 'timestamp', sortOrder: 'desc' } as const;
  for await (const chunk of posts.index.export({}, sort, now)) exported.push(...chunk);
  expect([total, counts.length, exported.length]).toEqual([1, 1, 1]);
});

it('says that there is too much to do where the cluster refuses questions, and answers again by itself', async () => {
  api = await startTestApi({ env: { SEARCH_URL: standInUrl() } });
  await api.add(newPost({ content: 'capstan' }));
  misbehave = ({ url }, _, response) => {
    if (!url?.includes('search')) return false;
    const error = { type: 'circuit_breaking_exception', reason: 'data too large' };
    answerJson(response, 429, { error: { ...error, root_cause: [error] }, status: 429 });
    return true;
  };
  expect(await list('capstan')).toEqual({ status: 503, code: 'overloaded' });
  misbehave = BEHAVES;
  expect(await list('capstan')).toEqual({ status: 200, total: 1 });
});

it('writes nothing into the index of another archive that it could not see at its start', async () => {
  const name = `foreign_${randomBytes(6).toString('hex')}`;
  const other = await startTestApi({ env: { SEARCH_INDEX: name } });
  await other.add(newPost({ content: 'kevel' }));
  misbehave = (_asked, _body, response) => {
    answerJson(response, 503, {});
    return true;
  };
  api = await startTestApi({ env: { SEARCH_URL: standInUrl(), SEARCH_INDEX: name }, start: false });
  await api.context.posts.follower.start();
  await until(() => api.context.posts.follower.isAway);
  misbehave = BEHAVES;
  await until(async () => (await ready()).search?.includes('is that of another archive'));
  await api.add(newPost({ content: 'kevel too' }));
  expect(await list('kevel')).toEqual({ status: 503, code: 'search_unavailable' });
  const { pagination } = (await (await fetch(`${other.url}/amber/archives?search=kevel`)).json()) as ArchivePage;
  expect(pagination.total).toBe(1);
  await other.close();
});

it.each([
  ['a page of HTML', 200, 'text/html', '<html><h1>It works!</h1></html>', 'speaks no JSON'],
  ['a page of HTML that says it is no gateway', 502, 'text/html', '<html>Bad gateway</html>', 'is away'],
  ['a page of HTML that finds nothing', 404, 'text/html', '<html>Not found</html>', 'in the place of'],
  ['another server that answers everything', 200, 'application/json', '{"ok":true}', 'is another server'],
  ['another server that finds nothing', 404, 'application/json', '{"error":"not_found"}', 'is another server'],
])('tells an operator that %s is no search cluster, and loses nothing', async (_, status, type, body, told) => {
  api = await startTestApi({ env: { SEARCH_URL: standInUrl() } });
  misbehave = (_asked, _body, response) => {
    response.writeHead(status, { 'Content-Type': type }).end(body);
    return true;
  };
  await api.add(newPost({ id: 'meanwhile', content: 'davit' }));
  expect(await list('davit')).toEqual({ status: 503, code: 'search_unavailable' });
  await until(async () => (await ready()).search?.includes(told));
  expect((await fetch(`${api.url}/amber/archives/meanwhile`)).status).toBe(200);
  misbehave = BEHAVES;
  await until(async () => (await list('davit')).total === 1);
});

it.each([
  ['finds no mapping', '/_mapping', 404, { error: 'not_found' }],
  ['answers nothing for a mapping', '/_mapping', 200, {}],
  ['answers searches', '/_msearch', 200, { ok: true }],
  ['answers reads of documents', '/_mget', 200, { ok: true }],
])('builds nothing where another server in the place of a node %s', async (_, path, status, body) => {
  api = await startTestApi({ env: { SEARCH_URL: standInUrl() } });
  await api.add(newPost({ content: 'davit' }));
  const names = async () => {
    const found = await fetch(`${nodes[0]}/_alias/${api.context.config.search?.name}`);
    return Object.keys((await found.json()) as object);
  };
  const before = await names();
  let asked = 0;
  misbehave = ({ url }, _body, response) => {
    if (!url?.includes(path)) return false;
    answerJson(response, status, body);
    return ++asked > 0;
  };
  await until(async () => (await ready()).search?.includes('is another server'));
  // More looks than a missing index needs to be built again.
  await until(() => asked >= 10);
  misbehave = BEHAVES;
  await until(async () => (await list('davit')).total === 1);
  expect(await names()).toEqual(before);
});

it('answers a save once the cluster has it, where that fails for a moment', async () => {
  api = await startTestApi({ env: { SEARCH_URL: standInUrl() } });
  let failed = 0;
  misbehave = (asked, _body, response) => {
    if (!isBulk(asked) || failed >= 4) return false;
    failed++;
    answerJson(response, 503, {});
    return true;
  };
  await api.add(newPost({ content: 'kedge' }));
  // Another process may not have noticed the failure, and answers lists.
  const found = await fetch(`${nodes[0]}/${api.context.config.search?.name}/_count?q=kind:post`);
  expect([((await found.json()) as { count: number }).count, failed]).toEqual([1, 4]);
  await until(async () => (await list('kedge')).total === 1);
});

it('is answered by the other nodes where one is slow, late once at most', async () => {
  api = await startTestApi({ env: { SEARCH_URL: [standInUrl(), ...nodes.slice(1)].join() } });
  await api.add(newPost({ content: 'fairlead' }));
  const held: ServerResponse[] = [];
  misbehave = (_asked, _body, response) => held.push(response) > 0;
  const spent: number[] = [];
  for (let at = 0; at < 12; at++) {
    const startedAt = performance.now();
    expect(await list(`fairlead&limit=${at + 1}`)).toEqual({ status: 200, total: 1 });
    spent.push(performance.now() - startedAt);
  }
  expect(held.length).toBeGreaterThan(0);
  expect(spent.filter((ms) => ms > 5_000).length).toBeLessThanOrEqual(1);
  for (const response of held) response.destroy();
});

it('answers no lists while a change of another process is not taken in', async () => {
  api = await startTestApi({ env: { SEARCH_URL: standInUrl() } });
  await api.add(newPost({ id: 'stays', content: 'grommet' }));
  let givenUp = 0;
  misbehave = (asked, _body, response) => {
    if (!isBulk(asked)) return false;
    response.once('close', () => givenUp++);
    return true;
  };
  const posts = api.context.database.db.collection('posts');
  const $currentDate = { changedAt: { $type: 'timestamp' } } as const;
  await posts.updateOne({ id: 'stays' }, { $set: { content: 'grommet of another' }, $currentDate });
  await until(async () => {
    api.context.posts.responses.forget();
    return (await list('grommet')).status === 503;
  });
  // The follower still waits for its write: the client sends each request at most twice.
  expect(givenUp).toBeLessThan(2);
  misbehave = BEHAVES;
  standIn.closeAllConnections();
  await until(async () => (await list('another')).total === 1);
});

it('answers no lists without what is new while the cluster has no manager', async () => {
  api = await startTestApi({ env: { SEARCH_URL: standInUrl() } });
  misbehave = (asked, _body, response) => {
    if (!isBulk(asked)) return false;
    const error = {
      type: 'cluster_block_exception',
      reason: 'blocked by: [SERVICE_UNAVAILABLE/2/no cluster-manager];',
    };
    answerJson(response, 503, { error, status: 503 });
    return true;
  };
  await api.add(newPost({ content: 'halyard' }));
  expect((await list('halyard')).status).toBe(503);
  misbehave = BEHAVES;
  await until(async () => (await list('halyard')).total === 1);
});

it('answers lists while the disk of the cluster is full, says so, and goes on by itself', async () => {
  const name = `full_${randomBytes(6).toString('hex')}`;
  api = await startTestApi({ env: { SEARCH_URL: standInUrl(), SEARCH_INDEX: name } });
  const block = (isOn: true | null) =>
    fetch(`${nodes[0]}/${name}/_settings`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ 'index.blocks.read_only_allow_delete': isOn }),
    });
  await api.add(newPost({ id: 'stays', content: 'gantline 1' }), newPost({ id: 'goes', content: 'gantline 2' }));
  await block(true);
  await api.add(newPost({ id: 'late', content: 'gantline 3' }));
  const gone = await api.context.posts.store.find('goes');
  if (gone) await api.context.posts.store.remove(gone._id);
  const answer = await fetch(`${api.url}/amber/archives?search=gantline`);
  expect(((await answer.json()) as ArchivePage).data.map(({ id }) => id)).toEqual(['stays']);
  const told = await until(async () => {
    const found = await ready();
    return found.search?.includes('refuses writes') && found.waiting > 0 && found;
  });
  // Counted from the last second in which the index was up to date.
  expect(told.waiting).toBeGreaterThanOrEqual(2);
  await block(null);
  await until(async () => (await list('gantline')).total === 2);
  await until(async () => (await ready()).search === null);
});
