import { benchLocalSolana } from '../../../packages/local-solana/bench/local-solana.ts';
import { benchVerifier } from '../../../packages/solana/bench/verifier.ts';
import { PaymentStage } from '../trials/payment-faults.ts';
import { describeMachine, ms, p50, type Row, toTable } from './measure.ts';

const CREDITS = 15;

/** Measures the verifier, the local network, and the time from a payment until its post is featured. */
export async function benchFeaturing(): Promise<void> {
  const rows = await benchParts();
  console.log(`\n${describeMachine()}\n\n${toTable(rows)}\n`);
  if (rows.some((row) => !row.isMet)) process.exitCode = 1;
}

async function benchParts(): Promise<Row[]> {
  const { perSecond } = benchVerifier();
  const network = await benchLocalSolana();
  const open: number[] = [];
  const closed: number[] = [];
  const stage = await PaymentStage.open(CREDITS * 2);
  try {
    for (let index = 0; index < CREDITS; index++) {
      open.push(await stage.timeCredit(true));
      closed.push(await stage.timeCredit(false));
    }
  } finally {
    await stage.close();
  }
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
