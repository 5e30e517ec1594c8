import type { ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LOG_LIMIT_BYTES = 20_000_000;
const LAST_WORDS = 20;

/**
 * Writes a child's output to a file that never exceeds twice its limit. Returns a function that gives the last lines.
 */
export function keepLog(child: ChildProcess, path: string): () => string[] {
  mkdirSync(join(path, '..'), { recursive: true });
  let written = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let file = createWriteStream(path, { flags: 'a' });
  let lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lines = [...lines, ...text.split('\n').filter(Boolean)].slice(-LAST_WORDS);
      if (written > LOG_LIMIT_BYTES) {
        file.end();
        renameSync(path, `${path}.old`);
        file = createWriteStream(path, { flags: 'a' });
        written = 0;
      }
      written += Buffer.byteLength(text);
      file.write(text);
    });
  }
  child.once('exit', () => file.end());
  return () => lines;
}
