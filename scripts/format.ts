import { join } from 'node:path';
import { BIN, run } from '../packages/processes/src/index.ts';

/** Formats all files and applies the linter's safe fixes. */
process.exitCode = (await run(join(BIN, 'biome'), ['check', '--write'])).code;
