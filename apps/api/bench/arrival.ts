import { setTimeout as delay } from 'node:timers/promises';
import { agentSettings, type LocalAccount, type RecordRef, startLocalBluesky } from '@archive/local-bluesky';
import { startAgent } from '@archive/processes';
import { blueskyId, Product } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import { openDatabase } from '../src/db/database.ts';
import { atWork } from './local-agent.ts';
import { describeMachine, quantile } from './measure.ts';

const TIMEOUT_MS = 60_000;
const WRITES = 100;
const ASKERS = 50;
const SHOWN_MS = 600_000;
const WORKED_OFF_MS = 600_000;

/**
 * `npm run bench -- arrival [requests] [waiting]`: on a local Bluesky network, the time from a quote that asks for a
 * post to the event on an open page and to the answer; and the time to take in mentions that waited while no agent ran.
 */
export async function benchArrival(args: string[]): Promise<void> {
  const [requests = 50, waiting = 10_000] = args.map(Number);
  const network = await startLocalBluesky();
  const keeper = await network.createAccount();
  const product = await Product.open({ env: { LOG_LEVEL: 'info', ...agentSettings(network, keeper) } });
  const start = () => startAgent({ mongodbUri: product.mongo.uri, dataDir: product.folder, env: product.env });
  let agent = start();
  try {
    const [author, asker] = await Promise.all([network.createAccount(), network.createAccount()]);
    await atWork(product);
    const page = await openPage(product.url);
    const [told, shown]: [number[], number[]] = [[], []];
    for (let at = 0; at < requests; at++) {
      const bytes = await aPicture({ width: 1_600, height: 1_000 });
      const post = await author.post({ text: `an evening ${at}`, images: [{ bytes, width: 1_600, height: 1_000 }] });
      const seen = page.told();
      const askedAt = performance.now();
      await asker.post({ text: `@${keeper.handle} save`, mentions: [keeper], quote: post });
      await seen;
      told.push(performance.now() - askedAt);
      await untilPictured(product.url, post);
      shown.push(performance.now() - askedAt);
    }
    page.close();
    console.log(
      [
        describeMachine(),
        `from a quote to “1 new post” in an open page, ${requests} times: ${line(told)}`,
        `to the card with its picture: ${line(shown)}`,
      ].join('\n'),
    );
    await agent.stop();
    const askers = await Promise.all(Array.from({ length: ASKERS }, () => network.createAccount()));
    console.log(
      await takeWaiting(product, askers, keeper, waiting, () => {
        agent = start();
      }),
    );
  } finally {
    await agent.stop();
    await product.close();
    await network.stop();
  }
}

function line(times: number[]): string {
  return `p50 ${(quantile(times, 0.5) / 1_000).toFixed(1)} s, p95 ${(quantile(times, 0.95) / 1_000).toFixed(1)} s`;
}

/** An open page: it receives an event when posts have arrived. */
async function openPage(url: string) {
  const end = new AbortController();
  const answer = await fetch(`${url}/amber/live`, { signal: end.signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let wake = () => {};
  const read = async () => {
    const decoder = new TextDecoder();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (/"added":[1-9]/.test(decoder.decode(next.value, { stream: true }))) wake();
    }
  };
  read().catch(() => {});
  return {
    told: () =>
      Promise.race([
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
        delay(TIMEOUT_MS).then(() => Promise.reject(new Error('the page was not told'))),
      ]),
    close: () => end.abort(),
  };
}

async function untilPictured(url: string, post: RecordRef): Promise<void> {
  const id = blueskyId(post.uri);
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await delay(20)) {
    const answer = await fetch(`${url}/amber/archives?sortBy=saved&limit=12`);
    const { data } = (await answer.json()) as { data: { id: string; media: { preview: string | null }[] }[] };
    const preview = data.find((one) => one.id === id)?.media[0]?.preview;
    if (preview && (await fetch(`${url}${preview}`)).ok) return;
  }
  throw new Error('the card never had its picture');
}

/** The time from the agent's start until all mentions are requests, and until all have ended. */
async function takeWaiting(
  product: Product,
  askers: LocalAccount[],
  keeper: LocalAccount,
  count: number,
  start: () => void,
): Promise<string> {
  const [author] = askers as [LocalAccount];
  const target = await author.post({ text: 'what everybody wants kept' });
  for (let at = 0; at < count; at += WRITES) {
    const asker = askers[(at / WRITES) % askers.length] as LocalAccount;
    const writes = Array.from({ length: Math.min(WRITES, count - at) }, (_, index) => ({
      $type: 'com.atproto.repo.applyWrites#create',
      collection: 'app.bsky.feed.post',
      value: mention(keeper, target, at + index),
    }));
    await asker.call('com.atproto.repo.applyWrites', { input: { repo: asker.did, writes }, procedure: true });
  }
  const { db, close } = await openDatabase(product.mongo.uri);
  try {
    const saves = db.collection('saves');
    const before = await saves.countDocuments();
    await untilShown(keeper, count);
    const startedAt = performance.now();
    const until = async (isThere: () => Promise<boolean>) => {
      while (!(await isThere())) {
        if (performance.now() - startedAt > WORKED_OFF_MS) throw new Error(`stands at ${await saves.countDocuments()}`);
        await delay(100);
      }
      return ((performance.now() - startedAt) / 1_000).toFixed(1);
    };
    start();
    const taken = await until(async () => (await saves.countDocuments()) >= before + count);
    const open = { $or: [{ state: { $nin: ['answered', 'failed'] } }, { reply: 'due' }] };
    const ended = await until(async () => (await saves.countDocuments(open)) === 0);
    const told = await saves.find().sort({ _id: 1 }).toArray();
    const times = told.slice(before).map((save) => Number(save['askedIn'].at));
    const isInOrder = times.every((time, at) => at === 0 || time >= (times[at - 1] as number));
    const ends = new Map<string, number>();
    for (const { state, reason, reply } of told.slice(before)) {
      const end = `${reason ?? state}, reply ${reply}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    return [
      `${count} mentions that waited: all taken in ${taken} s after the agent was started, ${isInOrder ? 'the oldest first' : 'OUT OF ORDER'}`,
      `all ended after ${ended} s: ${[...ends].map(([end, times]) => `${times} ${end}`).join('; ')}`,
    ].join('\n');
  } finally {
    await close();
  }
}

/** Waits until the network has notified the keeper of all mentions. */
async function untilShown(keeper: LocalAccount, count: number): Promise<void> {
  for (const deadline = performance.now() + SHOWN_MS; performance.now() < deadline; await delay(1_000)) {
    const unread = await keeper.call<{ count: number }>('app.bsky.notification.getUnreadCount', {});
    if (unread.count >= count) return;
  }
  throw new Error('the network did not tell of all mentions');
}

function mention(keeper: LocalAccount, target: RecordRef, at: number) {
  const name = `@${keeper.handle}`;
  return {
    $type: 'app.bsky.feed.post',
    text: `${name} save ${at}`,
    createdAt: new Date().toISOString(),
    facets: [
      {
        index: { byteStart: 0, byteEnd: Buffer.byteLength(name) },
        features: [{ $type: 'app.bsky.richtext.facet#mention', did: keeper.did }],
      },
    ],
    embed: { $type: 'app.bsky.embed.record', record: target },
  };
}
