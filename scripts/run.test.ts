import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const RUN = join(__dirname, 'run.mjs');

test('an interrupt that reaches the entry of the commands alone ends what it runs', async () => {
  // A database that takes connections and says nothing.
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
  // One that was not told goes on until it gives up on the database, and says so.
  expect(said).toBe('');
});
