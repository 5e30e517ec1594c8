import { resolve } from 'node:path';
import { measureLaunches, runLaunchKills, runLaunchRaces } from './launch-trials.ts';
import { describeMachine, ms, p50, type Row, toTable } from './measure.ts';

const LAUNCHES = 20;
const USERS = 100;

/** `npm run bench -- launches [rounds] [kills] [seed]`: time of a launch, races for one post, and kills. */
export async function benchLaunches(args: string[]): Promise<void> {
  const [rounds = 1_000, kills = 100, seed = 1] = args.map(Number);
  const dist = resolve(import.meta.dirname, '../dist');
  const say = (line: string) => console.error(`[bench] ${line}`);
  const times = await measureLaunches(dist, LAUNCHES);
  const row: Row = {
    what: 'from the call to a confirmed token',
    must: '3 s',
    got: `p50 ${ms(p50(times))}, most ${ms(Math.max(...times))} (${LAUNCHES})`,
    isMet: Math.max(...times) < 3_000,
  };
  const races = await runLaunchRaces({ rounds, users: USERS, dist, onRound: say });
  const killed = await runLaunchKills({ trials: kills, seed, dist, onTrial: say });
  const wrong = [...races.wrong, ...killed.wrong];
  for (const line of wrong.slice(0, 20)) console.log(line);
  console.log(`\n${describeMachine()}\n\n${toTable([row])}\n`);
  console.log(
    `${races.trials} rounds of ${USERS} users on one post: ${races.launches} tokens, ${races.wrong.length} wrong`,
  );
  const states = Object.entries(killed.byState).map(([state, count]) => `${state} ${count}`);
  console.log(
    `${killed.trials} kills, launches met as ${states.join(', ')}: ${killed.launches} tokens, ${killed.wrong.length} wrong`,
  );
  if (wrong.length > 0 || !row.isMet) process.exitCode = 1;
}
