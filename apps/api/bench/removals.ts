import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { agentSettings, type LocalAccount, type RecordRef, startLocalBluesky } from '@archive/local-bluesky';
import { startAgent } from '@archive/processes';
import { blueskyId, Product } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import { atWork } from './local-agent.ts';
import { describeMachine, quantile } from './measure.ts';

const TIMEOUT_MS = 120_000;
const POLL_MS = 100;

/**
 * `npm run bench -- removals [posts]`: the time from the agent's answer to an author's "remove" until no public answer,
 * media file or index file holds anything of the post.
 */
export async function benchRemovals(args: string[]): Promise<void> {
  const [posts = 20] = args.map(Number);
  const network = await startLocalBluesky();
  const keeper = await network.createAccount();
  const product = await Product.open({ env: { LOG_LEVEL: 'info', ...agentSettings(network, keeper) } });
  const agent = startAgent({ mongodbUri: product.mongo.uri, dataDir: product.folder, env: product.env });
  try {
    const [author, quoter, asker] = await Promise.all([0, 1, 2].map(() => network.createAccount()));
    if (!author || !quoter || !asker) return;
    await atWork(product);
    const times: Record<string, number[]> = {};
    for (let at = 0; at < posts; at++) {
      const word = `quokka${Math.random().toString(36).slice(2)}`;
      const bytes = await aPicture({ width: 640, height: 400 });
      const post = await author.post({ text: `the ${word} evening`, images: [{ bytes, width: 640, height: 400 }] });
      const quote = await quoter.post({ text: `look at ${at}`, quote: post });
      // A requester may ask for twenty posts a day, so the requester changes.
      const by = at % 10 === 9 ? await network.createAccount() : asker;
      const ask = await by.post({ text: `@${keeper.handle} save`, mentions: [keeper], quote });
      await answerTo(by, ask, keeper);
      const reply = await by.post({ text: `@${keeper.handle} save`, mentions: [keeper], quote: post });
      const answer = await answerTo(by, reply, keeper);
      const places = await placesOf(product, { post, quote, word });
      const there = await whereIs(places);
      if (there.length !== Object.keys(places).length) throw new Error(`not all there: ${there.join(', ')}`);
      const said = await author.post({ text: 'remove', reply: { root: post, parent: answer } });
      await answerTo(author, said, keeper);
      const answeredAt = performance.now();
      let left = there;
      while (left.length > 0) {
        const now = await whereIs(places, left);
        for (const name of left) {
          if (!now.includes(name)) times[name] = [...(times[name] ?? []), performance.now() - answeredAt];
        }
        left = now;
        if (performance.now() - answeredAt > TIMEOUT_MS) throw new Error(`still in ${left.join(', ')}`);
        if (left.length > 0) await delay(POLL_MS);
      }
    }
    console.log(describeMachine());
    console.log(`${posts} posts removed by their author; after the answer to “remove” they are gone`);
    for (const [name, taken] of Object.entries(times)) {
      const [p50, p95, most] = [0.5, 0.95, 1].map((part) => (quantile(taken, part) / 1_000).toFixed(1));
      console.log(`  from ${name}: p50 ${p50} s, p95 ${p95} s, at most ${most} s`);
    }
  } finally {
    await agent.stop();
    await product.close();
    await network.stop();
  }
}

type Places = Record<string, () => Promise<boolean>>;

async function whereIs(places: Places, names = Object.keys(places)): Promise<string[]> {
  const found: string[] = [];
  // One after another, because an address gets one export at a time.
  for (const name of names) if (await places[name]?.()) found.push(name);
  return found;
}

/**
 * All public places of a post, and the files behind them. Each function tells whether the place still holds the post.
 */
async function placesOf(
  { url, folder }: Product,
  { post, quote, word }: { post: RecordRef; quote: RecordRef; word: string },
): Promise<Places> {
  const read = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    if (answer.status === 429 || answer.status >= 500) throw new Error(`${path} is answered ${answer.status}`);
    return answer.text();
  };
  const holds = (path: string) => async () => (await read(path)).includes(word);
  const kept = JSON.parse(await read(`/amber/archives/${blueskyId(post.uri)}`)) as {
    media: { url: string; preview: string }[];
  };
  const [picture] = kept.media;
  if (!picture) throw new Error('the post has no picture');
  const isServed = (path: string) => async () => (await fetch(`${url}${path}`)).ok;
  return {
    'its address': holds(`/amber/archives/${blueskyId(post.uri)}`),
    'the list': holds('/amber/archives?limit=100&sortBy=saved'),
    'the search': holds(`/amber/archives?search=${word}`),
    'the post that quotes it': holds(`/amber/archives/${blueskyId(quote.uri)}`),
    'the export as NDJSON': holds('/amber/archives/export?format=ndjson'),
    'the export as JSON': holds('/amber/archives/export?format=json'),
    'the export as CSV': holds('/amber/archives/export?format=csv'),
    'its picture': isServed(picture.url),
    'the preview of its picture': isServed(picture.preview),
    'the files of its picture': () => hasFile(join(folder, 'media'), picture.url.split('/').at(-1) as string),
    'the files of the index': () => hasWord(folder, word),
  };
}

async function hasFile(folder: string, name: string): Promise<boolean> {
  return (await readdir(folder, { recursive: true })).some((path) => path.includes(name));
}

async function hasWord(folder: string, word: string): Promise<boolean> {
  for (const path of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!path.isFile() || !/\.(?:db|sqlite|db-wal|sqlite-wal|db-shm)\w*$/.test(path.name)) continue;
    // A file that is being replaced is read at the next look.
    const bytes = await readFile(join(path.parentPath, path.name)).catch(() => null);
    if (bytes?.includes(word)) return true;
  }
  return false;
}

/** Waits for the agent's answer to a post; rejects if none comes. */
async function answerTo(account: LocalAccount, to: RecordRef, keeper: LocalAccount): Promise<RecordRef> {
  interface Answer {
    thread: { replies?: { post: RecordRef & { author: { did: string } } }[] };
  }
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const asked = account.call<Answer>('app.bsky.feed.getPostThread', { params: { uri: to.uri, depth: 1 } });
    const { thread } = await asked.catch(() => ({ thread: {} as Answer['thread'] }));
    const own = thread.replies?.find(({ post }) => post.author.did === keeper.did);
    if (own) return { uri: own.post.uri, cid: own.post.cid };
  }
  throw new Error('nobody was answered');
}
