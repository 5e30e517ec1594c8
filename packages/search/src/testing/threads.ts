import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** URL of a script that `build-threads.cjs` has built. */
export function built(name: 'worker' | 'small-disk' | 'build-until-killed'): URL {
  return pathToFileURL(join(__dirname, '../../node_modules/.cache/threads', `${name}.mjs`));
}
