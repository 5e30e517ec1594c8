// Keeps one engine process alive while any client holds a lease. Then it stops the engine and ends. It is detached from
// the process that started it. The engine's lock on the data directory decides between supervisors: only the one whose
// engine got the lock publishes the control socket, by an atomic rename over the socket of a dead one.
import { spawn } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';

const { command, args, folder, directory, socketPath, controlPath, cacheMegabytes } = JSON.parse(
  process.argv[2] ?? '{}',
);

const FIRST_LEASE_MS = 10_000;
const GRACE_MS = 1_500;
const STOP_TIMEOUT_MS = 60_000;
/** More crashes than this within the window mean that a restart does not help. */
const CRASHES_ALLOWED = 20;
const CRASH_WINDOW_MS = 60_000;
const RESTART_STEP_MS = 50;

/** @type {import('node:child_process').ChildProcess | undefined} */
let engine;
/** @type {number | undefined} The engine's process id while it answers. */
let answering;
let published = false;
let stopping = false;
/** @type {number[]} */
let crashes = [];
/** @type {NodeJS.Timeout | undefined} */
let idle;
/** @type {Set<import('node:net').Socket>} */
const leases = new Set();
const control = createServer(takeLease);

// The starter may end before this process is ready; the supervisor runs on.
process.on('disconnect', () => {});
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void stop());
startEngine();

function startEngine() {
  if (stopping) return;
  const options = JSON.stringify({ directory, socketPath, cacheMegabytes });
  const child = spawn(command, [...args, options], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  engine = child;
  /** @type {{ reason?: string | undefined, inUse?: boolean | undefined }} */
  let failure = {};
  child.on('message', (/** @type {{ ready?: true, failed?: string, inUse?: boolean }} */ message) => {
    if (message.ready) engineAnswers(child.pid ?? 0);
    else failure = { reason: message.failed, inUse: message.inUse };
  });
  child.on('error', (error) => engineEnded(error.message, false));
  child.on('exit', (code, signal) => {
    engineEnded(failure.reason ?? `it ended with ${signal ?? `exit code ${code}`}`, failure.inUse === true);
  });
}

/** @param {number} pid */
function engineAnswers(pid) {
  answering = pid;
  for (const lease of leases) lease.write(`${pid}\n`);
  if (published) return;
  published = true;
  const own = `${controlPath}.${process.pid}`;
  control.listen(own, () => {
    renameSync(own, controlPath);
    idle = setTimeout(() => void stop(), FIRST_LEASE_MS);
    tellStarter({ ready: true });
  });
}

/** @param {string} reason @param {boolean} inUse */
function engineEnded(reason, inUse) {
  engine = undefined;
  answering = undefined;
  if (stopping) return;
  const now = Date.now();
  crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
  console.error(`${new Date(now).toISOString()} engine: ${reason}`);
  if (published && crashes.length <= CRASHES_ALLOWED) {
    setTimeout(startEngine, (crashes.length - 1) * RESTART_STEP_MS);
  } else {
    tellStarter({ failed: reason, inUse });
    void stop(1);
  }
}

/**
 * A client's connection is its lease: the kernel closes it when the client ends in any way.
 * @param {import('node:net').Socket} lease
 */
function takeLease(lease) {
  clearTimeout(idle);
  leases.add(lease);
  lease.on('error', () => lease.destroy());
  // Any data from a client means that it leaves. The last client's connection closes only after the engine has stopped.
  lease.on('data', () => {
    leases.delete(lease);
    if (leases.size === 0) void stop();
    else lease.destroy();
  });
  lease.on('close', () => {
    if (leases.delete(lease) && leases.size === 0) idle = setTimeout(() => void stop(), GRACE_MS);
  });
  if (answering !== undefined) lease.write(`${answering}\n`);
}

async function stop(code = 0) {
  if (stopping) return;
  stopping = true;
  clearTimeout(idle);
  // The address is removed first, so that new clients start another supervisor, whose engine waits for the lock.
  if (published) rmSync(controlPath, { force: true });
  control.close();
  for (const lease of leases) lease.destroy();
  if (engine) {
    const child = engine;
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.once('exit', () => clearTimeout(killer));
    if (child.connected) child.send('stop');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  process.exit(code);
}

/** @param {{ ready?: true, failed?: string, inUse?: boolean }} message */
function tellStarter(message) {
  if (process.connected) process.send?.(message, () => {});
}
