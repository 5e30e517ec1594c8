import { join } from 'node:path';
import { REACTION_TYPES, type ReactionType } from '@archive/contracts';
import { type Product, TestWallet } from '@archive/testing';
import { seeded } from '@archive/testing/generate-posts';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { changeReaction } from '../src/reactions/change-reaction.ts';
import { Stage } from '../trials/stage.ts';
import { reactionsTo, Visitor } from '../trials/visitor.ts';
import { describeMachine, ms, p50, p95, type Row, timed, toTable } from './measure.ts';

const WORKER = join(import.meta.dirname, '../dist/worker.js');
const POSTS = 5;
const WALLETS = 64;
const OPERATIONS = 8_000;

/** Measures reactions, over HTTP and in the server's own parts. */
export async function benchReactions(): Promise<void> {
  const rows: Row[] = [];
  const stage = await Stage.open({ posts: POSTS });
  const { product } = stage;
  try {
    const posts = Array.from({ length: POSTS }, () => stage.takePost());
    const visitors = await Promise.all(Array.from({ length: WALLETS }, () => Visitor.open(product)));
    const [first] = visitors as [Visitor];
    const trip: number[] = [];
    for (let i = 0; i < 700; i++) {
      const { ms: spent } = await timed(() => first.set(posts[i % POSTS] as string, 'heart', i % 10 < 5));
      if (i >= 200) trip.push(spent);
    }
    rows.push({
      what: 'reaction round trip over HTTP',
      must: 'p95 10 ms',
      got: `p50 ${ms(p50(trip))}, p95 ${ms(p95(trip))}`,
      isMet: p95(trip) <= 10,
    });

    for (const post of posts) await first.set(post, 'heart', false);

    const overHttp = await toggle(product, posts, async (index, post, type, isOn) => {
      const { status } = await (visitors[index] as Visitor).set(post, type, isOn);
      if (status !== 200) throw new Error(`a reaction was answered with ${status}`);
    });
    const indexPath = join(product.folder, 'in-process.sqlite');
    const context = await createContext(readConfig(product.env), WORKER, { indexPath });
    const wallets = Array.from({ length: WALLETS }, () => new TestWallet().address);
    const inProcess = await toggle(product, posts, async (index, id, reactionType, isOn) => {
      const change = isOn ? 'add' : 'remove';
      await changeReaction(context, { id, walletAddress: wallets[index] as string, reactionType, change });
    });
    await context.background.stop();
    rows.push({
      what: `${WALLETS} wallets toggling ${POSTS} posts, ${OPERATIONS.toLocaleString('en-US')} operations`,
      must: 'exact counts, 3,000 operations/s',
      got: `${whole(inProcess.rate)}/s in the server, ${inProcess.wrong} counts wrong; over HTTP, with the client on the same cores, ${whole(overHttp.rate)}/s, ${overHttp.wrong} wrong`,
      isMet: inProcess.rate >= 3_000 && inProcess.wrong + overHttp.wrong === 0,
    });
  } finally {
    await stage.close();
  }
  console.log(`\n${describeMachine()}\n\n${toTable(rows)}`);
  if (rows.some((row) => !row.isMet)) process.exitCode = 1;
}

/** Sets reactions on and off at random from all wallets at once, and compares the posts' counts with its own. */
async function toggle(
  product: Product,
  posts: readonly string[],
  set: (wallet: number, post: string, type: ReactionType, isOn: boolean) => Promise<void>,
): Promise<{ rate: number; wrong: number }> {
  const random = seeded(4);
  const before = await Promise.all(posts.map((post) => reactionsTo(product, post)));
  const states = new Map<string, boolean>();
  const startedAt = performance.now();
  let begun = 0;
  await Promise.all(
    Array.from({ length: WALLETS }, async (_, wallet) => {
      while (begun++ < OPERATIONS) {
        const post = posts[Math.floor(random() * POSTS)] as string;
        const type = REACTION_TYPES[Math.floor(random() * 3)] as ReactionType;
        const isOn = random() < 0.5;
        await set(wallet, post, type, isOn);
        states.set(`${wallet} ${post} ${type}`, isOn);
      }
    }),
  );
  const rate = OPERATIONS / ((performance.now() - startedAt) / 1000);
  let wrong = 0;
  for (const [index, post] of posts.entries()) {
    const counts = await reactionsTo(product, post);
    for (const type of REACTION_TYPES) {
      const given = Array.from({ length: WALLETS }, (_, wallet) => states.get(`${wallet} ${post} ${type}`));
      if (counts[type] !== (before[index]?.[type] ?? 0) + given.filter(Boolean).length) wrong++;
    }
  }
  return { rate, wrong };
}

function whole(figure: number): string {
  return Math.round(figure).toLocaleString('en-US');
}
