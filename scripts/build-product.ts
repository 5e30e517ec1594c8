import { run, TURBO } from '../packages/processes/src/index.ts';

const BUILD_TIMEOUT_MS = 300_000;

/** Builds API and web if their sources have changed. */
export async function buildProduct(): Promise<void> {
  const args = ['run', 'build', '--output-logs=errors-only', '--filter=./apps/*'];
  const { code, output } = await run(TURBO, args, { quiet: true, timeoutMs: BUILD_TIMEOUT_MS });
  if (code !== 0) throw new Error(`The build failed:\n${output}`);
}
