import { resolve } from 'node:path';
import { runCrashTrials } from './crash-trials.ts';
import { describeMachine } from './measure.ts';

/** `npm run bench -- faults [trials] [seed]`: the long series of kills. */
export async function benchFaults(args: string[]): Promise<void> {
  const [trials = 20, seed = 1] = args.map(Number);
  const report = await runCrashTrials({
    trials,
    seed,
    dist: resolve(import.meta.dirname, '../dist'),
    onTrial: (line) => console.error(`[bench] ${line}`),
  });
  const { killed, acknowledged, lost, differences } = report;
  console.log(describeMachine());
  console.log(
    `${report.trials} kills (API ${killed.api}, engine ${killed.engine}, importer ${killed.importer}), seed ${seed}`,
  );
  console.log(
    `${acknowledged} posts acknowledged by the ingest call and 20,000 imported in each trial: ${lost.length} lost`,
  );
  console.log(`differences between index and database after restart: ${differences.length}`);
  for (const line of [...lost.map((id) => `lost ${id}`), ...differences].slice(0, 20)) console.log(`  ${line}`);
  if (lost.length + differences.length > 0) process.exitCode = 1;
}
