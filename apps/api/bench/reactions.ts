import { resolve } from 'node:path';
import { REACTION_TYPES, type ReactionType } from '@archive/contracts';
import { seeded } from './generate-posts.ts';
import { describeMachine, ms, p50, p95, type Row, timed, toTable } from './measure.ts';
import { ReactionStage, runReactionTrials } from './reaction-trials.ts';

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

    const random = seeded(4);
    const states = new Map<string, boolean>();
    const startedAt = performance.now();
    let begun = 0;
    await Promise.all(
      visitors.map(async (visitor, index) => {
        while (begun++ < OPERATIONS) {
          const post = stage.posts[Math.floor(random() * 5)] as string;
          const type = REACTION_TYPES[Math.floor(random() * 3)] as ReactionType;
          const isOn = random() < 0.5;
          const { status } = await stage.set(visitor, post, type, isOn);
          if (status !== 200) throw new Error(`a reaction was answered with ${status}`);
          states.set(`${index} ${post} ${type}`, isOn);
        }
      }),
    );
    const rate = OPERATIONS / ((performance.now() - startedAt) / 1000);
    let wrong = 0;
    for (const post of stage.posts) {
      const counts = await stage.countsOf(post);
      for (const type of REACTION_TYPES) {
        const wanted = visitors.filter((_, index) => states.get(`${index} ${post} ${type}`)).length;
        // The first wallet's hearts of the warm-up may stand where it never came back to them.
        const spare = type === 'heart' && !states.has(`0 ${post} heart`) ? 1 : 0;
        if (counts[type] < wanted || counts[type] > wanted + spare) wrong++;
      }
    }
    rows.push({
      what: `${WALLETS} wallets toggling 5 posts, ${OPERATIONS.toLocaleString('en-US')} operations over HTTP`,
      must: 'exact counts, 3,000 operations/s',
      got: `${Math.round(rate).toLocaleString('en-US')}/s, ${wrong} counts wrong (client on the same cores)`,
      isMet: rate >= 3_000 && wrong === 0,
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
