import { setTimeout as delay } from 'node:timers/promises';
import { PUSH_BROWSERS } from '@archive/contracts';
import { startAgent } from '@archive/processes';
import { call, Product, TestWallet } from '@archive/testing';
import { BrowserKeys, PushEndpoint } from '@archive/testing/push';
import { type Post, startXStandIn } from '@archive/x-stand-in';
import { newPushKeys } from '../src/push-keys.ts';
import { atWork } from './local-agent.ts';
import { p95, type Row, Rows, say, toTable } from './measure.ts';

const HONEST = 20;
const SEARCHES = 5;
const ROUNDS = 3;
/** Interval at which the product looks for push messages to send. */
const LOOK_MS = 10_000;
/** Delay that the attack may add to an honest push message. */
const LATER_MS = 5_000;
const ASKERS = 3;
const THREADS = 30;
const THREAD_POSTS = 25;
const OBEYED_MS = 60_000;
const PATIENCE_MS = 180_000;

/** Measures the cost of heavy users for others: a wallet whose browsers never answer, and long threads on X. */
export async function benchPayers(): Promise<void> {
  const rows = new Rows();
  rows.push(await benchPushes());
  rows.push(await benchThreads());
  console.log(toTable(rows));
}

async function benchPushes(): Promise<Row> {
  say('pushes beside a wallet whose browsers never answer');
  const service = await PushEndpoint.open();
  const keys = newPushKeys();
  const env = {
    VAPID_PUBLIC_KEY: keys.publicKey,
    VAPID_PRIVATE_KEY: keys.privateKey,
    SOURCE_LOCAL_HOSTS: service.host,
  };
  const product = await Product.open({ env });
  try {
    const key = /amber_[\w-]+/.exec(await product.command('keys', 'create', 'bench'))?.[0];
    const came = new Map<string, number>();
    service.answer = ({ url = '' }, response) => {
      if (url.includes('/held/')) return;
      came.set(url, performance.now());
      response.writeHead(201).end();
    };
    const tokens: string[] = [];
    const join = async (path: string, browsers: number, searches: number) => {
      const { token } = await new TestWallet().signIn(product);
      tokens.push(token);
      for (let at = 0; at < browsers; at++) {
        const endpoint = `http://${service.host}/${path}/${at}`;
        await done(call(product, 'PUT', '/amber/notices/browsers', token, { endpoint, keys: new BrowserKeys().keys }));
      }
      for (let at = 0; at < searches; at++) {
        await done(call(product, 'POST', '/amber/searches', token, { query: 'search=ferry', name: `Search ${at}` }));
      }
    };
    let posts = 0;
    const save = async () => {
      const id = String(++posts);
      const post = {
        id,
        content: `a ferry ${id}`,
        author: 'A',
        authorUsername: 'a',
        url: `https://x.com/a/status/${id}`,
      };
      const more = { category: 'casual', timestamp: new Date().toISOString(), metadata: {} };
      await done(call(product, 'POST', '/amber/archives', key, { ...post, ...more }));
    };
    for (let at = 0; at < HONEST; at++) await join(`honest-${at}`, 1, 1);
    /** Each round begins at another moment within the product's interval. */
    const rounds = async () => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        // After notices are read, a new one is sent when more posts come.
        for (const token of tokens) await done(call(product, 'PUT', '/amber/notices/read', token));
        came.clear();
        await delay((round * LOOK_MS) / ROUNDS);
        const startedAt = performance.now();
        await save();
        while (came.size < HONEST && performance.now() - startedAt < PATIENCE_MS) await delay(50);
        times.push(...[...came.values()].map((at) => at - startedAt));
      }
      return times;
    };
    const told = await rounds();
    await join('held', PUSH_BROWSERS, SEARCHES);
    const toldBeside = await rounds();
    const [alone, beside] = [p95(told), p95(toldBeside)];
    const all = 2 * ROUNDS * HONEST;
    const count = told.length + toldBeside.length;
    const later = beside - alone;
    return {
      what: `${HONEST} pushes, beside one wallet with ${PUSH_BROWSERS} browsers that never answer`,
      must: `p95 at most ${LATER_MS / 1_000} s later than without it`,
      got: `p95 ${seconds(alone)} alone, ${seconds(beside)} beside it; ${count} of ${all} came`,
      isMet: count === all && later <= LATER_MS,
    };
  } finally {
    await product.close();
    await service.close();
  }
}

async function benchThreads(): Promise<Row> {
  say('an author’s word on X beside requests for threads');
  const x = await startXStandIn();
  const env = {
    X_BASE_URL: x.url,
    X_API_KEY: x.credentials.apiKey,
    X_API_SECRET: x.credentials.apiSecret,
    X_ACCESS_TOKEN: x.credentials.accessToken,
    X_ACCESS_SECRET: x.credentials.accessSecret,
  };
  const product = await Product.open({ env });
  const agent = startAgent({ mongodbUri: product.mongo.uri, dataDir: product.folder, env: product.env });
  try {
    await atWork(product);
    const { network } = x;
    const author = network.account('ada');
    const kept = network.post(author, 'worth keeping', { media: [] });
    const asked = network.post(network.account('ben'), '@amberkeeps save this', { quotes: kept });
    const answersTo = (one: Post) => network.newest(({ parent, author: by }) => parent === one && by === x.agent);
    const waited = async (isThere: () => boolean | Promise<boolean>) => {
      const startedAt = performance.now();
      while (!(await isThere()) && performance.now() - startedAt < PATIENCE_MS) await delay(100);
      return performance.now() - startedAt;
    };
    await waited(() => answersTo(asked).length > 0);
    const askers = Array.from({ length: ASKERS }, (_, at) => network.account(`asker${at}`));
    for (let at = 0; at < THREADS; at++) {
      const writer = network.account(`writer${at}`);
      let last: Post | undefined;
      for (let part = 0; part < THREAD_POSTS; part++) {
        last = network.post(writer, `part ${part} of thread ${at}`, { media: [], ...(last && { replyTo: last }) });
      }
      const asker = askers[at % ASKERS] ?? author;
      network.post(asker, '@amberkeeps save thread', { quotes: last as Post });
    }
    await delay(15_000);
    const answer = answersTo(asked)[0];
    network.post(author, 'remove', answer ? { replyTo: answer } : {});
    const obeyed = await waited(async () => {
      const { status } = await call(product, 'GET', `/amber/archives/${kept.id}`);
      return status === 410;
    });
    return {
      what: `an author's remove on X, beside ${THREADS} requests for threads of ${ASKERS} accounts`,
      must: `obeyed within ${OBEYED_MS / 1_000} s`,
      got: `after ${seconds(obeyed)}; ${x.answered.length} calls of X by then`,
      isMet: obeyed <= OBEYED_MS,
    };
  } finally {
    await agent.stop();
    await product.close();
    await x.close();
  }
}

async function done(answer: ReturnType<typeof call>): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
