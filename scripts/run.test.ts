import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';

const RUN = join(__dirname, 'run.mjs');
const SOON_MS = 4_000;

test('an interrupt that reaches the entry of the commands alone ends what it runs', async () => {
  // A database that takes connections and says nothing.
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const env = { ...process.env, MONGODB_URI: `mongodb://127.0.0.1:${port}` };
  const command = spawn(process.execPath, [RUN, 'amber', 'keys', 'list'], { env, stdio: 'ignore' });
  const ended = once(command, 'exit');
  await once(silent, 'connection');
  command.kill('SIGINT');
  const isSoon = await Promise.race([ended.then(() => true), delay(SOON_MS, false)]);
  if (!isSoon) command.kill('SIGTERM');
  await ended;
  silent.close();
  expect(isSoon).toBe(true);
});
