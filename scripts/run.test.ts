import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const RUN = join(__dirname, 'run.mjs');

test('an interrupt that reaches the entry of the commands alone ends what it runs', async () => {
  // A database that accepts connections and never answers.
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const env = { ...process.env, MONGODB_URI: `mongodb://127.0.0.1:${port}` };
  const command = spawn(process.execPath, [RUN, 'amber', 'keys', 'list'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  command.stderr.on('data', (data) => {
    said += data;
  });
  const ended = once(command, 'close');
  await once(silent, 'connection');
  command.kill('SIGINT');
  await ended;
  silent.close();
  // A command that misses the signal runs until its database connection times out, and prints an error.
  expect(said).toBe('');
});
