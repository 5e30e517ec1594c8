// The network's own process, started by `startLocalBluesky`. It stops on a message over the IPC channel, and when the
// channel closes.
import { rmSync } from 'node:fs';
import './patches.mjs';
import { startPostgres } from './postgres.mjs';
import { startServices } from './services.mjs';

const folder = process.argv[2];
// The services write their files there.
process.env.TMPDIR = folder;
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

// A terminal interrupts the whole process group. The opener then stops everything in order.
process.on('SIGINT', () => {});
for (const reason of ['SIGTERM', 'disconnect', 'message']) process.on(reason, () => void stop());

// The AppView caches a picture while it sends it, and does not handle the error of a client that disconnects.
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
  // No data is kept, so no orderly end is needed. Services that lose their database may throw errors.
  process.on('uncaughtException', () => {});
  const postgres = await starting.catch(() => {});
  await postgres?.stop();
  process.exit(code);
}
