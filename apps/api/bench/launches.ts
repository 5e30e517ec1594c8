import { LaunchStage } from '../trials/launch-kills.ts';
import { describeMachine, ms, p50, type Row, timed, toTable } from './measure.ts';

const LAUNCHES = 20;

/** Measures a launch, from the call to the answer 201, at the network's usual pace. */
export async function benchLaunches(): Promise<void> {
  const stage = await LaunchStage.open({ posts: LAUNCHES, users: 1 });
  const times: number[] = [];
  try {
    while (times.length < LAUNCHES) {
      const { ms: spent, value } = await timed(() => stage.launch(0, stage.takePost()));
      if (value.status !== 201) throw new Error(`a launch answered ${value.status}`);
      times.push(spent);
    }
  } finally {
    await stage.close();
  }
  const row: Row = {
    what: 'from the call to a confirmed token',
    must: '3 s',
    got: `p50 ${ms(p50(times))}, most ${ms(Math.max(...times))} (${LAUNCHES})`,
    isMet: Math.max(...times) < 3_000,
  };
  console.log(`\n${describeMachine()}\n\n${toTable([row])}\n`);
  if (!row.isMet) process.exitCode = 1;
}
