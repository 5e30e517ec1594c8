import { join } from 'node:path';
import { BIN, type Finished, run, TURBO } from '../packages/processes/src/index.ts';

const TIMEOUT_MS = 300_000;

/** The checks of `npm run check`. Each can run alone by its name. */
const CHECKS = {
  lint: () => quietly(join(BIN, 'biome'), ['check', '--error-on-warnings']),
  // Two programs: code for Node only, and code that also runs elsewhere. One program per package would parse shared
  // files again.
  typecheck: () =>
    quietly(TURBO, [
      'run',
      'typecheck',
      'typecheck:node',
      'typecheck:shared',
      '--output-logs=errors-only',
      '--continue',
    ]),
  walls: () =>
    quietly(join(BIN, 'depcruise'), [
      '--config',
      'scripts/walls.cjs',
      '--output-type',
      'err-long',
      'apps',
      'packages',
      'scripts',
      'e2e',
    ]),
} satisfies Record<string, () => Promise<Finished>>;

export type CheckName = keyof typeof CHECKS;
export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

/** Runs checks in parallel and prints the output of those that fail. Resolves to whether all passed. */
export async function check(names: readonly CheckName[] = CHECK_NAMES): Promise<boolean> {
  const results = await Promise.all(
    names.map(async (name) => {
      const began = Date.now();
      const { code, output } = await CHECKS[name]();
      if (code !== 0) console.log(`\n${output.trim()}\n`);
      console.log(`${code === 0 ? '✓' : '✗'} ${name} (${((Date.now() - began) / 1000).toFixed(0)} s)`);
      return code === 0;
    }),
  );
  return results.every(Boolean);
}

function quietly(command: string, args: string[]): Promise<Finished> {
  return run(command, args, { quiet: true, timeoutMs: TIMEOUT_MS });
}
