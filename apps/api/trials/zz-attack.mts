import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { startArchive } from '../bench/archive-server.ts';
import { p50, p95 } from '../bench/measure.ts';

const folder = '/tmp/bench/bench-1000000';
const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 2048 });
const api = await startArchive({
  ...process.env,
  MONGODB_URI: mongo.uri,
  DATA_DIR: folder,
  RATE_LIMITS: 'off',
  NODE_OPTIONS: process.argv[2] ?? '',
});
const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.3' });
const ask = (path: string) =>
  new Promise<{ status: number; ms: number }>((res, rej) => {
    const t = performance.now();
    const q = request({ host: '127.0.0.1', port: 4790, path, agent }, (a) => {
      a.resume();
      a.on('end', () => res({ status: a.statusCode!, ms: performance.now() - t }));
    });
    q.on('error', rej);
    q.end();
  });
const visit = async (ms: number) => {
  const out: any[] = [];
  for (const until = performance.now() + ms; performance.now() < until; ) {
    out.push(await ask(`/amber/archives?split=featured&page=${1 + (out.length % 50)}`));
    await new Promise((r) => setTimeout(r, 20));
  }
  return out;
};
const show = (n: string, o: any[]) =>
  console.log(
    n,
    o.length,
    'p50',
    p50(o.map((x) => x.ms)).toFixed(0),
    'p95',
    p95(o.map((x) => x.ms)).toFixed(0),
    'max',
    Math.max(...o.map((x) => x.ms)).toFixed(0),
    'refused',
    o.filter((x) => x.status !== 200).length,
  );
await visit(3000);
show('before', await visit(2000));
const a = spawn(process.execPath, ['/tmp/attack.mjs']);
const health: any[] = [];
show('beside', await visit(6500));
await new Promise((r) => (a.exitCode !== null ? r(0) : a.once('exit', r)));
await new Promise((r) => setTimeout(r, 2000));
show('after', await visit(2000));
await api.stop();
await mongo.close();
process.exit(0);
