import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, type ClientRequest, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedMongo } from '@archive/embedded-mongo';
import type { ApiProcess } from '@archive/processes';
import { generatePosts, seeded } from '@archive/testing/generate-posts';
import { questions } from './archive-questions.ts';
import { PORT, startArchive } from './archive-server.ts';
import {
  describeMachine,
  ms,
  p95,
  percent,
  type Row,
  Rows,
  residentMegabytes,
  say,
  toTable,
  whole,
} from './measure.ts';
import { measureSlowness } from './plain-peers.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const TYPING_MS = 30_000;
const OVERLOAD_MS = 60_000;
/** Duration of the attacker's rounds. */
const ATTACK_MS = 6_000;

/**
 * `npm run bench -- load [posts]`: visitors who type at once, an attack beside a visitor, and five times the load that
 * the server can take, on the archive of `npm run bench -- archive [posts]`. All traffic stays on loopback.
 */
export async function benchLoad(args: string[]): Promise<void> {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 1_000_000);
  const folder = join(process.env['DATA_DIR'] ?? join(ROOT, '.data'), `bench-${count}`);
  if (!existsSync(join(folder, 'imported'))) throw new Error(`first: npm run bench -- archive ${count}`);
  const mongo = await openEmbeddedMongo({ directory: join(folder, 'mongo'), cacheMegabytes: 2_048 });
  const rows = new Rows();
  try {
    const api = await startArchive({ ...process.env, MONGODB_URI: mongo.uri, DATA_DIR: folder, RATE_LIMITS: 'off' });
    try {
      await warmUp(api.url);
      const page = await (await fetch(`${api.url}/amber/archives?split=featured`)).arrayBuffer();
      const { slowness, express } = await measureSlowness(Buffer.from(page));
      say(`Express sends ${whole(express)} ready pages a second: times may be ${slowness.toFixed(2)} times as long`);
      for (const people of [1, 8, 32]) rows.push(await benchTyping(people, slowness));
      rows.push(...(await benchAttack(slowness)));
      rows.push(...(await benchOverload(api, slowness)));
    } finally {
      await api.stop();
    }
  } finally {
    await mongo.close();
  }
  console.log(`\n${describeMachine()}; ${whole(count)} posts\n\n${toTable(rows)}`);
}

interface Answer {
  status: number;
  ms: number;
}

/** One GET from an address of its own; null if it was aborted. */
function ask(path: string, options: { agent: Agent; signal?: AbortSignal; onRequest?: (sent: ClientRequest) => void }) {
  const startedAt = performance.now();
  return new Promise<Answer | null>((resolve, reject) => {
    const { agent, signal } = options;
    const sent = request({ host: '127.0.0.1', port: PORT, path, agent, ...(signal ? { signal } : {}) }, (answer) => {
      answer.on('data', () => {});
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt }));
      answer.on('error', () => resolve(null));
    });
    sent.on('error', (error) => (signal?.aborted ? resolve(null) : reject(error)));
    sent.end();
  });
}

const from = (localAddress: string) => new Agent({ keepAlive: true, localAddress });
const search = (text: string) =>
  `/amber/archives?split=featured&limit=12&search=${encodeURIComponent(text.toWellFormed())}`;

async function warmUp(url: string): Promise<void> {
  for (const filter of questions(200)) await fetch(`${url}/amber/archives?${new URLSearchParams(filter as never)}`);
}

/** What a visitor types, key by key: words of the posts, sometimes starting over. */
function* typed(seed: number): Generator<string> {
  const random = seeded(seed);
  const posts = [...generatePosts(500, seed)];
  for (;;) {
    const words = posts[Math.floor(random() * posts.length)]?.content.split(/\s+/) ?? [];
    const at = Math.floor(random() * words.length);
    const text = words
      .slice(at, at + 2)
      .join(' ')
      .slice(0, 14);
    for (let length = 1; length <= text.length; length++) yield text.slice(0, length);
  }
}

async function benchTyping(people: number, slowness: number): Promise<Row> {
  say(`${people} typing`);
  const answers: Answer[] = [];
  const until = performance.now() + TYPING_MS;
  const type = async (person: number): Promise<void> => {
    const random = seeded(1_000 + person);
    const agent = from(`127.0.1.${person + 1}`);
    let last = new AbortController();
    let answering: Promise<unknown> = Promise.resolve();
    for (const text of typed(person)) {
      if (performance.now() > until) break;
      last.abort();
      last = new AbortController();
      answering = ask(search(text), { agent, signal: last.signal }).then((answer) => answer && answers.push(answer));
      await delay(150 + random() * 100);
    }
    await answering;
    agent.destroy();
  };
  await Promise.all(Array.from({ length: people }, (_, person) => type(person)));
  const good = answers.filter(({ status }) => status === 200).map((answer) => answer.ms);
  const refused = answers.filter(({ status }) => status === 503);
  const slowestRefusal = Math.max(0, ...refused.map((answer) => answer.ms));
  const share = refused.length / answers.length;
  const mostMs = (people <= 8 ? 60 : 150) * slowness;
  const refusedMs = 50 * slowness;
  return {
    what: `${people} typing at once`,
    must:
      people === 1
        ? 'for comparison'
        : `p95 ${ms(mostMs)}${people > 8 ? `, 5% refused, each within ${ms(refusedMs)}` : ''}`,
    got: `p95 ${ms(p95(good))} of ${good.length}; ${percent(share)} refused, slowest ${ms(slowestRefusal)}`,
    isMet: people === 1 || (p95(good) <= mostMs && share <= 0.05 && slowestRefusal <= refusedMs && good.length > 0),
  };
}

/** Measures a visitor during a flood from another address (`attacker.ts`). */
async function benchAttack(slowness: number): Promise<Row[]> {
  say('an attack beside a visitor');
  const agent = from('127.0.0.3');
  const visit = async (ms: number): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (const until = performance.now() + ms; performance.now() < until; await delay(20)) {
      const answer = await ask(`/amber/archives?split=featured&page=${1 + (answers.length % 50)}`, { agent });
      if (answer) answers.push(answer);
    }
    return answers;
  };
  await visit(1_000);
  const attacker = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'apps/api/bench/attacker.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(attacker, 'exit');
  await once(attacker.stdout, 'data');
  const beside = await visit(ATTACK_MS);
  await ended;
  await delay(2_000);
  const after = await visit(2_000);
  agent.destroy();
  const times = beside.map((answer) => answer.ms);
  const refused = beside.filter(({ status }) => status !== 200).length;
  return [
    {
      what: 'a listing beside the attack',
      must: `p95 ${ms(100 * slowness)}, none refused`,
      got: `p95 ${ms(p95(times))} of ${times.length}, ${refused} refused`,
      isMet: p95(times) <= 100 * slowness && refused === 0,
    },
    {
      what: 'the same 2 s after',
      must: 'back to normal',
      got: `p95 ${ms(p95(after.map((answer) => answer.ms)))}`,
      isMet: p95(after.map((answer) => answer.ms)) <= 30 * slowness,
    },
  ];
}

async function benchOverload(api: ApiProcess, slowness: number): Promise<Row[]> {
  say('capacity');
  const words = distinctWords();
  const agents = Array.from({ length: 8 }, (_, at) => from(`127.0.2.${at + 1}`));
  let answered = 0;
  const until = performance.now() + 10_000;
  const loop = async (agent: Agent): Promise<void> => {
    while (performance.now() < until) {
      const answer = await ask(search(words()), { agent });
      if (answer?.status === 200) answered++;
    }
  };
  await Promise.all(agents.map(loop));
  const capacity = answered / 10;

  say(`five times ${whole(capacity)}/s`);
  const outcomes = { good: 0, refused: 0, other: 0 };
  const health: number[] = [];
  const memory: number[] = [];
  const healthAgent = from('127.0.2.100');
  const watch = setInterval(() => {
    memory.push(residentMegabytes(api.process.pid as number).own);
    void ask('/health', { agent: healthAgent }).then((answer) => health.push(answer?.ms ?? Number.POSITIVE_INFINITY));
  }, 200);
  const asked: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; performance.now() - startedAt < OVERLOAD_MS; ) {
    const due = ((performance.now() - startedAt) / 1_000) * capacity * 5;
    for (; sent < due; sent++) {
      const agent = agents[sent % agents.length] as Agent;
      const one = ask(search(words()), { agent }).then(
        (answer) => {
          outcomes[answer?.status === 200 ? 'good' : answer?.status === 503 ? 'refused' : 'other']++;
        },
        () => {
          outcomes.other++;
        },
      );
      asked.push(one);
    }
    await delay(5);
  }
  const goodput = outcomes.good / (OVERLOAD_MS / 1_000);
  await Promise.allSettled(asked);
  clearInterval(watch);
  await delay(5_000);
  const after: number[] = [];
  for (let at = 0; at < 50; at++) after.push((await ask(search(words()), { agent: healthAgent }))?.ms ?? 0);
  for (const agent of [...agents, healthAgent]) agent.destroy();
  return [
    {
      what: 'good answers at five times capacity, 60 s',
      must: '80% of capacity',
      got: `${whole(goodput)}/s of ${whole(capacity)}/s (${percent(goodput / capacity)}); ${outcomes.refused} refused, ${outcomes.other} else`,
      isMet: goodput >= capacity * 0.8 && outcomes.other === 0,
    },
    {
      what: '/health meanwhile',
      must: ms(50 * slowness),
      got: `p95 ${ms(p95(health))}, most ${ms(Math.max(...health))}`,
      isMet: Math.max(...health) <= 50 * slowness,
    },
    {
      what: 'memory meanwhile, without mapped files',
      must: '600 MB',
      got: `${whole(Math.max(...memory))} MB at most`,
      isMet: Math.max(...memory) <= 600,
    },
    {
      what: 'a search 5 s after',
      must: 'back to normal',
      got: `p95 ${ms(p95(after))}`,
      isMet: p95(after) <= 60 * slowness,
    },
  ];
}

/** Texts that were not asked before. */
function distinctWords(): () => string {
  const random = seeded(77);
  const posts = [...generatePosts(5_000, 77)];
  const asked = new Set<string>();
  return () => {
    for (;;) {
      const letters = Array.from(posts[Math.floor(random() * posts.length)]?.content ?? '');
      const at = Math.floor(random() * letters.length);
      const text = letters
        .slice(at, at + 4 + Math.floor(random() * 12))
        .join('')
        .trim();
      if (asked.has(text)) continue;
      asked.add(text);
      return text;
    }
  };
}
