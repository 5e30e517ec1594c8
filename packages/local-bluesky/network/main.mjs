// The network's own process, started by `startLocalBluesky`. It is told to stop over the IPC channel, and ends with it.
import { rmSync } from 'node:fs';
import './patches.mjs';
import { startServices } from './services.mjs';

const STOP_TIMEOUT_MS = 20_000;
const folder = process.argv[2];
// Where the services put their files.
process.env.TMPDIR = folder;
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

// A terminal interrupts the whole group of processes; the opener then closes in its own order.
process.on('SIGINT', () => {});
for (const reason of ['SIGTERM', 'disconnect', 'message']) process.on(reason, () => void stop());

const starting = startServices(folder);
try {
  const { addresses } = await starting;
  if (process.connected) process.send({ ready: addresses });
} catch (error) {
  if (process.connected) await new Promise((sent) => process.send({ failed: error.message }, sent));
  await stop(1);
}

async function stop(code = 0) {
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS);
  // What is only half started has stopped by itself, or is waited for.
  const services = await starting.catch(() => {});
  await services?.stop();
  process.exit(code);
}
