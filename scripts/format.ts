import { join } from 'node:path';
import { BIN, run } from '../packages/processes/src/index.ts';

/** Formats everything and mends what the linter can mend. */
process.exitCode = (await run(join(BIN, 'biome'), ['check', '--write'])).code;
