import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

const MAIN = new URL('../src/cli/main.ts', `file://${__filename}`).pathname;

test('a command ends well though what reads its output has gone', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ said, code }).toEqual({ said: '', code: 0 });
});
