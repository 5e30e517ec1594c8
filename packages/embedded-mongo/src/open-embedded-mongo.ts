import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { debianLibraries } from './debian-libraries.ts';
import { engineFooting, type PlatformFacts, platformFacts } from './platform.ts';
import { prepareRuntimeFolder, type RuntimeFolder } from './runtime-folder.ts';

const SCRIPTS = join(import.meta.dirname, '..', 'engine');
const DEFAULT_CACHE_MEGABYTES = 1024;
const OPEN_TIMEOUT_MS = 120_000;
const RETRY_MS = 100;
const LOG_LIMIT_BYTES = 1_000_000;

export interface EmbeddedMongoOptions {
  /** Folder of the database's files; created if missing. */
  directory: string;
  /** Megabytes of the engine's cache (1024). The process that starts the engine sets it; others cannot change it. */
  cacheMegabytes?: number;
  onProgress?: (line: string) => void;
  /** Facts about this machine; for tests. */
  platform?: PlatformFacts;
}

export interface EmbeddedMongo {
  /** Connection string for any driver of this user on this machine; it names no database. */
  uri: string;
  /** The engine's process id, or undefined while it is being restarted. */
  pid(): number | undefined;
  /** Releases this process's lease. If it is the last one, resolves when the engine has stopped. */
  close(): Promise<void>;
}

/**
 * Opens the MongoDB engine on a directory, or joins an engine that another process has opened on it. Resolves when the
 * engine answers. The engine is a separate process. It is restarted after a crash, at the same address. It stops
 * shortly after the last process that opened it has closed it or has died. Throws `UnusablePlatformError` if it cannot
 * run here.
 *
 * The engine has no sessions, transactions, change streams, TTL, `$where` or passwords. Only this user can reach its
 * socket. Session commands would crash the engine, so they get error 115. Write with `{ w: 1, j: true }`: anything less
 * can lose acknowledged writes in a crash.
 *
 * ```ts
 * const mongo = await openEmbeddedMongo({ directory: '.data/mongo' });
 * const client = new MongoClient(mongo.uri);
 * const posts = client.db('archive').collection('posts');
 * // ...
 * await client.close();
 * await mongo.close();
 * ```
 */
export async function openEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const footing = engineFooting(options.platform ?? platformFacts());
  const runtime = await prepareRuntimeFolder(options.directory);
  const onProgress = options.onProgress ?? (() => {});
  let pid: number | undefined;
  let lease: Socket | undefined;
  let closed = false;

  const onPid = (next: number | undefined) => {
    pid = next;
  };
  const open = async () => {
    const deadline = Date.now() + OPEN_TIMEOUT_MS;
    for (;;) {
      const joined = await takeLease(runtime.control, onPid);
      if (joined) return joined;
      const failure = await startSupervisor(runtime, footing, options.cacheMegabytes, onProgress);
      // `inUse`: another process was faster, or a previous engine is still stopping.
      if (failure && !failure.inUse) {
        throw new Error(`The embedded MongoDB engine did not start: ${failure.failed} (see ${runtime.log}).`);
      }
      if (Date.now() > deadline) {
        throw new Error(`The embedded MongoDB engine's directory is held by another process: ${runtime.data}.`);
      }
      if (failure) await delay(RETRY_MS);
    }
  };
  const keep = (taken: Socket) => {
    lease = taken;
    taken.unref();
    taken.on('close', () => {
      pid = undefined;
      if (!closed) void open().then((again) => (closed ? again.destroy() : keep(again)), report);
    });
  };
  const report = (error: Error) => onProgress(error.message);

  keep(await open());
  return {
    uri: `mongodb://${encodeURIComponent(runtime.socket)}/?directConnection=true`,
    pid: () => pid,
    close: async () => {
      if (closed) return;
      closed = true;
      if (lease) await sayGoodbye(lease);
    },
  };
}

/**
 * Connects to a supervisor. Resolves with the connection once the engine answers, or with undefined if there is no
 * supervisor.
 */
function takeLease(control: string, onPid: (pid: number | undefined) => void): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(control);
    socket.on('data', (line) => {
      onPid(Number(line.toString().trim().split('\n').at(-1)));
      resolve(socket);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(undefined));
  });
}

function sayGoodbye(lease: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (lease.destroyed) return resolve();
    lease.ref();
    lease.once('close', () => resolve());
    lease.write('goodbye');
  });
}

interface SupervisorReport {
  ready?: true;
  failed?: string;
  inUse?: boolean;
}

/** Starts a supervisor in its own session, which outlives this process. Resolves with the error, if any. */
async function startSupervisor(
  runtime: RuntimeFolder,
  footing: 'native' | 'debian-libraries',
  cacheMegabytes: number | undefined,
  onProgress: (line: string) => void,
): Promise<{ failed: string; inUse: boolean } | undefined> {
  const { command, args } = await engineCommand(footing, onProgress);
  const settings = {
    command,
    args: [...args, join(SCRIPTS, 'engine.mjs')],
    folder: runtime.folder,
    directory: runtime.data,
    socketPath: runtime.socket,
    controlPath: runtime.control,
    cacheMegabytes: cacheMegabytes ?? DEFAULT_CACHE_MEGABYTES,
  };
  onProgress('Opening the database');
  const log = openSync(runtime.log, isLong(runtime.log) ? 'w' : 'a', 0o600);
  const { PATH, HOME } = process.env;
  const supervisor = spawn(process.execPath, [join(SCRIPTS, 'supervisor.mjs'), JSON.stringify(settings)], {
    cwd: runtime.folder,
    detached: true,
    // The supervisor outlives this process, so it gets none of its environment (debuggers, loaders, secrets).
    env: { PATH, HOME },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const message = await firstReport(supervisor);
  if (supervisor.connected) supervisor.disconnect();
  supervisor.unref();
  return message.ready ? undefined : { failed: message.failed ?? 'no reason given', inUse: message.inUse === true };
}

function isLong(log: string): boolean {
  return (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES;
}

function firstReport(supervisor: ChildProcess): Promise<SupervisorReport> {
  return new Promise((resolve) => {
    supervisor.once('message', (message) => resolve(message as SupervisorReport));
    supervisor.once('error', (error) => resolve({ failed: error.message }));
    supervisor.once('exit', (code, signal) => resolve({ failed: `its supervisor ended with ${signal ?? code}` }));
  });
}

async function engineCommand(footing: 'native' | 'debian-libraries', onProgress: (line: string) => void) {
  if (footing === 'native') return { command: process.execPath, args: [] };
  const { loader, folder } = await debianLibraries(onProgress);
  return { command: loader, args: ['--library-path', folder, process.execPath] };
}
