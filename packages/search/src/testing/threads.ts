import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The script of a thread or process, as `build-threads.cjs` has made it. */
export function built(name: 'worker' | 'small-disk' | 'build-until-killed'): URL {
  return pathToFileURL(join(__dirname, '../../node_modules/.cache/threads', `${name}.mjs`));
}
