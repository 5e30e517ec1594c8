// The network's own process, started by `startLocalBluesky`. It is told to stop over the IPC channel, and ends with it.
import { rmSync } from 'node:fs';
import './patches.mjs';
import { startPostgres } from './postgres.mjs';
import { startServices } from './services.mjs';

const folder = process.argv[2];
// Where the services put their files.
process.env.TMPDIR = folder;
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

// A terminal interrupts the whole group of processes; the opener then closes in its own order.
process.on('SIGINT', () => {});
for (const reason of ['SIGTERM', 'disconnect', 'message']) process.on(reason, () => void stop());

// The AppView copies a picture into its cache while it sends it, and has nobody to hear that its reader went away.
process.on('uncaughtException', (error) => {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
});

const starting = startPostgres(folder);
try {
  const postgres = await starting;
  const ready = await startServices(postgres.url);
  if (process.connected) process.send({ ready });
} catch (error) {
  if (process.connected) await new Promise((sent) => process.send({ failed: error.message }, sent));
  await stop(1);
}

async function stop(code = 0) {
  // Nothing is kept, so nothing needs a proper end; services that lose their database may say so no more.
  process.on('uncaughtException', () => {});
  const postgres = await starting.catch(() => {});
  await postgres?.stop();
  process.exit(code);
}
