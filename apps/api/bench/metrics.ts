import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import { Flows } from '../src/metrics/flows.ts';
import { Metrics } from '../src/metrics/metrics.ts';
import { generatePosts } from './generate-posts.ts';
import { describeMachine, quantile } from './measure.ts';

const API = resolve(import.meta.dirname, '..');
const POSTS = 2_000;
const AT_ONCE = 8;

/** Asks from a process of its own: its time is not the server's. Told a number on its input, it asks so often. */
const ASKER = `
const http = require('node:http');
const [url, atOnce] = process.argv.slice(1);
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(atOnce) });
const ask = (at) => new Promise((done, fail) => {
  const path = url.replace('PAGE', String(1 + (at % 50)));
  http.get(path, { agent }, (answer) => { answer.resume().on('end', done); }).on('error', fail);
});
process.stdin.on('data', async (told) => {
  let left = Number(told);
  await Promise.all(Array.from({ length: Number(atOnce) }, async () => { while (left > 0) await ask(left--); }));
  process.stdout.write('done');
});`;

const KINDS = {
  'pages that stand ready': { path: '/amber/archives?page=PAGE', requests: 400 },
  'one post, read from the database': { path: '/amber/reactions/POST', requests: 150 },
};

/**
 * `npm run bench -- metrics [rounds]`: processor time of the same server for a request with metrics and without, in turn;
 * both orders equally often. The ratio of each pair is what counts.
 */
export async function benchMetrics(args: string[]): Promise<void> {
  const [rounds = 300] = args.map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'bench-metrics-'));
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 256 });
  const config = readConfig({ MONGODB_URI: mongo.uri, DATA_DIR: folder, RATE_LIMITS: 'off', LOG_LEVEL: 'info' });
  const context = await createContext({ ...config, logLevel: 'silent' }, join(API, 'dist/worker.js'));
  const posts = [...generatePosts(POSTS)];
  for (let at = 0; at < POSTS; at += 1_000) await ingestPosts(context, posts.slice(at, at + 1_000));
  await context.posts.follower.start();
  const server = createServer(createApp(context, join(API, 'dist/docs')));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { data } = (await (await fetch(`${url}/amber/archives`)).json()) as { data: { _id: string }[] };
  console.log(describeMachine());
  const flows = new Flows();
  try {
    for (const [kind, { path, requests }] of Object.entries(KINDS)) {
      const target = `${url}${path.replace('POST', data[0]?._id ?? '')}`;
      const asker = spawn(process.execPath, ['-e', ASKER, target, String(AT_ONCE)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const ask = () =>
        new Promise<number>((done) => {
          const before = process.cpuUsage();
          asker.stdout.once('data', () => {
            const { user, system } = process.cpuUsage(before);
            done((user + system) / requests);
          });
          asker.stdin.write(`${requests}\n`);
        });
      const measured = async () => {
        flows.start();
        try {
          return await ask();
        } finally {
          flows.stop();
        }
      };
      for (let at = 0; at < 30; at++) await ask();
      const ratios: number[] = [];
      const plain: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const isFirst = round % 2 === 0;
        const first = isFirst ? await measured() : await ask();
        const second = isFirst ? await ask() : await measured();
        ratios.push(isFirst ? first / second : second / first);
        plain.push(isFirst ? second : first);
      }
      const percent = (part: number) => `${((quantile(ratios, part) - 1) * 100).toFixed(2)}%`;
      const each = quantile(plain, 0.5).toFixed(0);
      console.log(`${kind}: ${each} µs of processor time a request without; with metrics ${percent(0.5)} more`);
      console.log(
        `  (a quarter of the pairs below ${percent(0.25)}, a quarter above ${percent(0.75)}; ${rounds} pairs)`,
      );
      asker.kill();
    }
    const metrics = new Metrics(context, { port: 0, host: '127.0.0.1' }, 0);
    await metrics.start();
    const before = process.cpuUsage();
    for (let at = 0; at < 100; at++) await metrics.text();
    const { user, system } = process.cpuUsage(before);
    await metrics.stop();
    console.log(
      `a scrape that reads everything anew: ${((user + system) / 100 / 1_000).toFixed(2)} ms of processor time`,
    );
  } finally {
    server.closeAllConnections();
    server.close();
    await context.background.stop();
    await mongo.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
