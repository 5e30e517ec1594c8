import { join, resolve } from 'node:path';
import { REACTION_TYPES, type ReactionType } from '@archive/contracts';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { changeReaction } from '../src/reactions/change-reaction.ts';
import { seeded } from './generate-posts.ts';
import { describeMachine, ms, p50, p95, type Row, timed, toTable } from './measure.ts';
import { ReactionStage, runReactionTrials, type Visitor } from './reaction-trials.ts';

const DIST = resolve(import.meta.dirname, '../dist');
const WALLETS = 64;
const OPERATIONS = 8_000;

/** `npm run bench -- reactions [rounds] [kills]`: speed, races and kills of reactions and sign-in. */
export async function benchReactions(args: string[]): Promise<void> {
  const [rounds = 1_000, kills = 100] = args.map(Number);
  const rows: Row[] = [];
  const stage = await ReactionStage.open(DIST);
  try {
    const visitors = await Promise.all(Array.from({ length: WALLETS }, () => stage.signIn()));
    const [first] = visitors as [(typeof visitors)[number]];
    const trip: number[] = [];
    for (let i = 0; i < 700; i++) {
      const { ms: spent } = await timed(() => stage.set(first, stage.posts[i % 5] as string, 'heart', i % 10 < 5));
      if (i >= 200) trip.push(spent);
    }
    rows.push({
      what: 'reaction round trip over HTTP',
      must: 'p95 10 ms',
      got: `p50 ${ms(p50(trip))}, p95 ${ms(p95(trip))}`,
      isMet: p95(trip) <= 10,
    });

    for (const post of stage.posts) await stage.set(first, post, 'heart', false);

    const overHttp = await toggle(stage, async (index, post, type, isOn) => {
      const { status } = await stage.set(visitors[index] as Visitor, post, type, isOn);
      if (status !== 200) throw new Error(`a reaction was answered with ${status}`);
    });
    const context = await stage.openContext(join(DIST, 'worker.js'));
    const wallets = Array.from({ length: WALLETS }, () => bs58.encode(nacl.sign.keyPair().publicKey));
    const inProcess = await toggle(stage, async (index, id, reactionType, isOn) => {
      const change = isOn ? 'add' : 'remove';
      await changeReaction(context, { id, walletAddress: wallets[index] as string, reactionType, change });
    });
    await context.close();
    rows.push({
      what: `${WALLETS} wallets toggling 5 posts, ${OPERATIONS.toLocaleString('en-US')} operations`,
      must: 'exact counts, 3,000 operations/s',
      got: `${whole(inProcess.rate)}/s in the server, ${inProcess.wrong} counts wrong; over HTTP, with the client on the same cores, ${whole(overHttp.rate)}/s, ${overHttp.wrong} wrong`,
      isMet: inProcess.rate >= 3_000 && inProcess.wrong + overHttp.wrong === 0,
    });
    rows.push(await benchRaces(stage, rounds));
  } finally {
    await stage.close();
  }

  const trials = await runReactionTrials({
    trials: kills,
    seed: 1,
    dist: DIST,
    onTrial: (line) => console.error(`[bench] ${line}`),
  });
  rows.push({
    what: `${kills} kills (kill -9 of API and engine in turn) during reactions and profile changes`,
    must: 'nothing acknowledged lost, counts equal rows',
    got: `${trials.acknowledged.toLocaleString('en-US')} changes acknowledged, ${trials.wrong.length} wrong`,
    isMet: trials.wrong.length === 0,
  });
  for (const line of trials.wrong.slice(0, 20)) console.log(line);
  console.log(`\n${describeMachine()}\n\n${toTable(rows)}`);
  if (rows.some((row) => !row.isMet)) process.exitCode = 1;
}

/** Sets reactions on and off at random from all wallets at once, and counts what the posts then say beside it. */
async function toggle(
  stage: ReactionStage,
  set: (wallet: number, post: string, type: ReactionType, isOn: boolean) => Promise<void>,
): Promise<{ rate: number; wrong: number }> {
  const random = seeded(4);
  const before = await Promise.all(stage.posts.map((post) => stage.countsOf(post)));
  const states = new Map<string, boolean>();
  const startedAt = performance.now();
  let begun = 0;
  await Promise.all(
    Array.from({ length: WALLETS }, async (_, wallet) => {
      while (begun++ < OPERATIONS) {
        const post = stage.posts[Math.floor(random() * 5)] as string;
        const type = REACTION_TYPES[Math.floor(random() * 3)] as ReactionType;
        const isOn = random() < 0.5;
        await set(wallet, post, type, isOn);
        states.set(`${wallet} ${post} ${type}`, isOn);
      }
    }),
  );
  const rate = OPERATIONS / ((performance.now() - startedAt) / 1000);
  let wrong = 0;
  for (const [index, post] of stage.posts.entries()) {
    const counts = await stage.countsOf(post);
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

/** Rounds of 100 parallel equal requests: verify, add, remove. */
async function benchRaces(stage: ReactionStage, rounds: number): Promise<Row> {
  let wrong = 0;
  const post = stage.posts[0] as string;
  for (let round = 0; round < rounds; round++) {
    const signed = await stage.signedChallenge();
    const hundred = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: 100 }, call));
    const verified = await hundred(() => stage.call('POST', '/amber/auth/verify', null, signed));
    const won = verified.filter(({ status }) => status === 200);
    const token = (won[0]?.body as { token?: string } | undefined)?.token ?? '';
    const visitor = { address: signed.walletAddress, token };
    const before = (await stage.countsOf(post)).thumbsUp;
    const added = await hundred(() => stage.set(visitor, post, 'thumbsUp', true));
    const during = (await stage.countsOf(post)).thumbsUp;
    const removed = await hundred(() => stage.set(visitor, post, 'thumbsUp', false));
    const after = (await stage.countsOf(post)).thumbsUp;
    const isAllFine = [...added, ...removed].every(({ status }) => status === 200);
    if (won.length !== 1 || during !== before + 1 || after !== before || !isAllFine) wrong++;
    if (round % 100 === 99) console.error(`[bench] ${round + 1} rounds of races, ${wrong} wrong`);
  }
  return {
    what: `${rounds.toLocaleString('en-US')} rounds of 100 parallel equal requests (verify, add, remove)`,
    must: 'one effect each',
    got: `${wrong} rounds wrong`,
    isMet: wrong === 0,
  };
}
