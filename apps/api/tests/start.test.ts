import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, run, startNode, stopProcess } from '@archive/processes';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const MAIN = join(__dirname, '../dist/main.js');
let folder: string;
const listeners: Server[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});

afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A port that accepts connections and never answers. */
async function silentPort(): Promise<number> {
  // Reads the data, so that it sees the other side close. Otherwise the socket keeps this process alive.
  const listener = createServer((socket) => socket.on('error', () => {}).resume()).listen(0);
  listeners.push(listener);
  await once(listener, 'listening');
  return (listener.address() as AddressInfo).port;
}

const settings = (port: number, more: NodeJS.ProcessEnv = {}) => ({
  ...process.env,
  PORT: String(port),
  DATA_DIR: folder,
  WEB_DIR: undefined,
  NODE_ENV: undefined,
  ...more,
});

it('a process whose port another one has ends before it touches the index that the other is building', async () => {
  const port = await silentPort();
  const index = join(folder, 'index', `archive-${port}.sqlite`);
  mkdirSync(join(folder, 'index'));
  writeFileSync(index, 'half of an index');
  const { code, output } = await run(process.execPath, [MAIN], { env: settings(port), quiet: true });
  expect([code, output]).toEqual([1, `PORT ${port} is taken by another program; PORT names another port\n`]);
  expect(readFileSync(index, 'utf8').slice(0, 100)).toBe('half of an index');
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(['index', `index/archive-${port}.sqlite`]);
});

it('a process that waits for its database says that it lives, and of all else that it is starting', async () => {
  const port = await freePort();
  const child = startNode([MAIN], {
    env: settings(port, { MONGODB_URI: `mongodb://127.0.0.1:${await silentPort()}` }),
  });
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method }).catch(() => null);
  let health = await ask('/health');
  while (!health && child.exitCode === null) health = await ask('/health');
  expect([health?.status, await health?.json()]).toEqual([200, { status: 'ok' }]);
  const ready = await ask('/ready');
  expect([ready?.status, await ready?.json()]).toEqual([
    503,
    { status: 'starting', done: 0, total: 0, behind: 0, waiting: 0, noRoom: null, search: null, agentsAway: [] },
  ]);
  for (const answer of [await ask('/amber/archives'), await ask('/amber/auth/challenge', 'POST')]) {
    expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer?.json()).toMatchObject({
      code: 'starting',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  }
  await stopProcess(child);
});

it('a process tells a taken port, a taken port for metrics and a database that is away together, in a sentence each', async () => {
  const [port, metricsPort] = [await silentPort(), await silentPort()];
  const MONGODB_URI = `mongodb://user:secret@127.0.0.1:${await freePort()}`;
  const env = settings(port, { MONGODB_URI, METRICS_PORT: String(metricsPort) });
  const { code, output } = await run(process.execPath, [MAIN], { env, quiet: true });
  expect(output.trim().split('\n')).toEqual([
    `PORT ${port} is taken by another program; PORT names another port`,
    `METRICS_PORT ${metricsPort} is taken by another program; METRICS_PORT names another port`,
    expect.stringMatching(/^MONGODB_URI names a database that does not answer: connect ECONNREFUSED [^@]+$/),
  ]);
  expect(code).toBe(1);
});
