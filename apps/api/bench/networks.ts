import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '@archive/processes';
import { Product } from '@archive/testing';
import { generatePosts } from '@archive/testing/generate-posts';
import { ms, p50, p95, type Row, Rows, say, toTable } from './measure.ts';

const POSTS = 100_000;
const FLOOD_MS = 8_000;
const SETTLE_MS = 1_000;
const VISIT_EVERY_MS = 100;
/** Maximum factor between a visitor's time beside a flood from one network and beside a flood from one address. */
const MOST = 1.5;
const VISITOR = '2001:db8:ffff::1';
const EXPORTS = 10;
/** Bytes per read of a slow reader, and the interval of its reads. */
const SLOW = { bytes: 8_000, everyMs: 100 };

/**
 * Measures a visitor of another network while floods come from one address and from whole networks, on the built
 * product.
 */
export async function benchNetworks(): Promise<void> {
  const rows = new Rows();
  const product = await Product.open({
    env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' },
    prepare: async (made) => {
      say(`${POSTS} generated posts`);
      const file = join(made.folder, 'posts.ndjson');
      await writeFile(file, [...generatePosts(POSTS)].map((post) => `${JSON.stringify(post)}\n`).join(''));
      await made.command('import', file);
    },
  });
  try {
    const { url } = product;
    const quiet = await visit(url, FLOOD_MS / 2);
    rows.push({ what: 'a visitor alone', must: 'for comparison', ...toldOf(quiet), isMet: true });
    const beside = await flooded(url, 'address');
    rows.push({ what: 'beside 300 from one address', must: 'each answered', ...beside, isMet: beside.refused === 0 });
    for (const kind of ['/48', '/56', 'networks']) {
      const met = await flooded(url, kind);
      rows.push({
        what: kind === 'networks' ? 'beside 300 from 40 networks' : `beside 300 from /64s of one ${kind}`,
        must: `each answered${kind === 'networks' ? '' : `, p95 ${MOST} times that beside one address`}`,
        ...met,
        isMet: met.refused === 0 && (kind === 'networks' || met.p95 <= beside.p95 * MOST),
      });
    }
    rows.push(await slowReaders(url));
  } finally {
    await product.close();
  }
  console.log(toTable(rows));
}

async function flooded(url: string, kind: string) {
  const flood = spawn(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'apps/api/bench/flood.ts'), url, kind, String(FLOOD_MS)],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(flood, 'exit');
  await once(flood.stdout, 'data');
  let said = '';
  flood.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await delay(SETTLE_MS);
  const met = toldOf(await visit(url, FLOOD_MS - 2 * SETTLE_MS));
  await ended;
  await delay(SETTLE_MS);
  return { ...met, beside: `of the flood ${said}` };
}

interface Visited {
  times: number[];
  refused: number;
}

/** Asks new questions, one after the other. */
async function visit(url: string, forMs: number): Promise<Visited> {
  const visited: Visited = { times: [], refused: 0 };
  const end = performance.now() + forMs;
  for (let n = 0; performance.now() < end; n++) {
    const startedAt = performance.now();
    const answer = await askAs(
      VISITOR,
      `${url}/amber/archives?split=featured&search=${(n * 6007 + 46_656).toString(36)}`,
    );
    await once(answer.resume(), 'close');
    if (answer.statusCode === 200) visited.times.push(performance.now() - startedAt);
    else visited.refused++;
    await delay(VISIT_EVERY_MS);
  }
  return visited;
}

function toldOf({ times, refused }: Visited) {
  const got = `p50 ${ms(p50(times))}, p95 ${ms(p95(times))} of ${times.length}; ${refused} refused`;
  return { got, refused, p95: p95(times) };
}

/**
 * Three clients read an export slowly, each in a /64 of one /48. Meanwhile visitors of other networks request exports.
 */
async function slowReaders(url: string): Promise<Row> {
  const path = `${url}/amber/archives/export?format=ndjson`;
  const slow = await Promise.all([1, 2, 3].map((n) => askAs(`2001:db8:2:${n}::1`, path)));
  for (const answer of slow) void readSlowly(answer);
  let refused = 0;
  for (let n = 0; n < EXPORTS; n++) {
    const answer = await askAs(`2001:db8:${(n + 0x100).toString(16)}::1`, path);
    if (answer.statusCode !== 200) refused++;
    await once(answer.resume(), 'close');
  }
  const held = slow.filter(({ statusCode }) => statusCode === 200).length;
  for (const answer of slow) answer.destroy();
  return {
    what: 'exports beside three slow readers of one /48',
    must: 'none refused',
    got: `${refused} of ${EXPORTS} refused; ${held} of the three let in`,
    isMet: refused === 0,
  };
}

async function readSlowly(answer: IncomingMessage): Promise<void> {
  answer.on('error', () => {});
  while (!answer.destroyed) {
    answer.read(SLOW.bytes);
    await delay(SLOW.everyMs);
  }
}

function askAs(address: string, url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'X-Forwarded-For': address } }, resolve).on('error', reject);
  });
}
