import { resolve } from 'node:path';
import { benchLocalSolana } from '../../../packages/local-solana/bench/local-solana.ts';
import { benchVerifier } from '../../../packages/solana/bench/verifier.ts';
import { runDuels } from './feature-duels.ts';
import { measureCredit, runFeatureTrials } from './feature-trials.ts';
import { describeMachine, ms, p50, type Row, toTable } from './measure.ts';

const CREDITS = 15;

/** `npm run bench -- featuring [runs] [seed] [duels]`: speed of the parts, two payers at once, and payments while something goes wrong. */
export async function benchFeaturing(args: string[]): Promise<void> {
  const [runs = 1_000, seed = 1, duels = 1_000] = args.map(Number);
  const dist = resolve(import.meta.dirname, '../dist');
  const rows = await benchParts(dist);
  const onRound = (line: string) => console.error(`[bench] ${line}`);
  const wrong = await runDuels(duels, dist, onRound);
  const report = await runFeatureTrials({ runs, seed, dist, onRound });
  for (const line of [...wrong, ...report.wrong].slice(0, 20)) console.log(line);
  console.log(`\n${describeMachine()}\n\n${toTable(rows)}\n`);
  console.log(`${duels} rounds of two wallets paying for one post at once: ${wrong.length} wrong`);
  for (const [fault, count] of Object.entries(report.byFault)) console.log(`${fault}: ${count} payments`);
  console.log(
    `${report.runs} payments: ${report.applied} applied, ${report.credits} kept as credits, ${report.dropped} taken back by the chain; ${report.wrong.length} wrong`,
  );
  if (wrong.length + report.wrong.length > 0 || rows.some((row) => !row.isMet)) process.exitCode = 1;
}

async function benchParts(dist: string): Promise<Row[]> {
  const { perSecond } = benchVerifier();
  const network = await benchLocalSolana();
  const { open, closed } = await measureCredit(dist, CREDITS);
  return [
    {
      what: 'verifier, pure',
      must: '2,000 transactions/s',
      got: `${Math.round(perSecond).toLocaleString('en-US')}/s, each parsed from JSON`,
      isMet: perSecond >= 2_000,
    },
    {
      what: 'local network, payments with preflight',
      must: 'ready in 1 s, 300/s',
      got: `ready in ${ms(network.readyMs)}; ${Math.round(network.sequentialPerSecond)}/s one after another, ${Math.round(network.parallelPerSecond)}/s 16 at a time`,
      isMet: network.readyMs <= 1_000 && network.sequentialPerSecond >= 300,
    },
    {
      what: 'from confirmed to featured, page open',
      must: '3 s',
      got: `p50 ${ms(p50(open))}, most ${ms(Math.max(...open))} (${CREDITS})`,
      isMet: Math.max(...open) <= 3_000,
    },
    {
      what: 'from confirmed to featured, page closed',
      must: '15 s',
      got: `p50 ${ms(p50(closed))}, most ${ms(Math.max(...closed))} (${CREDITS})`,
      isMet: Math.max(...closed) <= 15_000,
    },
  ];
}
