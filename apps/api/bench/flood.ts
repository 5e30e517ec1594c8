import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * `flood.ts URL KIND MS`: a flood in a separate process, so that it takes no time from a visitor. 300 connections each
 * ask a new question every 150 ms, from addresses of a kind. It prints how many questions were answered, and how many
 * refused.
 */
const [url = '', kind = '', ms = '0'] = process.argv.slice(2);
const CONNECTIONS = 300;
const EVERY_MS = 150;

/** The client address of the nth question, by kind. */
const ADDRESSES: Record<string, (n: number) => string> = {
  address: () => '2001:db8:1::1',
  '/48': (n) => `2001:db8:1:${(n % 65_536).toString(16)}::1`,
  '/56': (n) => `2001:db8:1:${(n % 256).toString(16)}::1`,
  networks: (n) => `2001:db8:${((n % 40) + 16).toString(16)}:${(n % 65_536).toString(16)}::1`,
};

const addressOf = ADDRESSES[kind];
if (!addressOf) throw new Error(`one of ${Object.keys(ADDRESSES).join(', ')}`);
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const end = performance.now() + Number(ms);
const counts = { answered: 0, refused: 0 };
let asked = 0;

function ask(n: number): Promise<void> {
  return new Promise((resolve) => {
    const path = `${url}/amber/archives?limit=12&search=${(n * 7919).toString(36)}`;
    const headers = { 'X-Forwarded-For': addressOf?.(n) ?? '' };
    request(path, { agent, headers }, (answer) => {
      counts[answer.statusCode === 200 ? 'answered' : 'refused']++;
      answer.resume().once('close', resolve);
    })
      .on('error', () => resolve())
      .end();
  });
}

process.stdout.write('begins\n');
await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    while (performance.now() < end) await Promise.all([ask(asked++), delay(EVERY_MS)]);
  }),
);
process.stdout.write(JSON.stringify(counts));
process.exit(0);
