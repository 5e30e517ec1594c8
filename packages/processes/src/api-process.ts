import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { keepLog } from './keep-log.ts';
import { ROOT, startNode, stopProcess } from './processes.ts';

/** Longest time without progress. The start itself may take longer, depending on the archive's size. */
const STALLED_MS = 900_000;
const POLL_MS = 25;
/** Below the system's ephemeral ports: one of those may be taken between the check and the start. */
const FIRST_PORT = 20_000;
const PORTS = 7_000;
/** Interval of the progress reports of a long start. */
const PROGRESS_MS = 2_000;

export interface ApiOptions {
  /** The checkout whose built API is started; this one by default. */
  root?: string;
  port: number;
  mongodbUri: string;
  dataDir: string;
  env?: NodeJS.ProcessEnv;
  /** Port to which a debugger can attach. */
  debugPort?: number;
  onProgress?: (line: string) => void;
  /** Receives each line of the log. */
  onLog?: (line: string) => void;
}

export interface ApiProcess {
  url: string;
  log: string;
  /** Resolves when the process ends, for any reason. */
  ended: Promise<void>;
  process: ChildProcess;
  /** Resolves once it can serve; rejects if it ends before. */
  untilReady(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the built API with the built web and waits until it can serve; its log goes to a file in the data folder. */
export async function startApi(options: ApiOptions): Promise<ApiProcess> {
  const { root = ROOT, port, mongodbUri, dataDir } = options;
  await refuseTakenPort(port);
  const debug = options.debugPort === undefined ? [] : [`--inspect=127.0.0.1:${options.debugPort}`];
  const child = startNode([...debug, '--enable-source-maps', join(root, 'apps/api/dist/main.js')], {
    cwd: root,
    env: {
      ...process.env,
      WEB_DIR: join(root, 'apps/web/dist'),
      ...options.env,
      PORT: String(port),
      MONGODB_URI: mongodbUri,
      MONGODB_URI_FILE: undefined,
      DATA_DIR: dataDir,
    },
  });
  const log = join(dataDir, 'logs', 'api.log');
  const lastWords = keepLog(child, log);
  const { onLog } = options;
  if (onLog && child.stdout) createInterface({ input: child.stdout }).on('line', onLog);
  const ended = once(child, 'exit').then(() => {});
  const url = `http://localhost:${port}`;
  const stop = () => stopProcess(child);
  const ready = () => untilReady(url, child, options.onProgress ?? (() => {}));
  try {
    await ready();
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message} Its last words:\n${lastWords().join('\n')}`);
  }
  return { url, log, ended, process: child, untilReady: ready, stop };
}

/** Rejects, with advice, if another process listens on the port. */
export async function refuseTakenPort(port: number): Promise<void> {
  if (await isTaken(port)) throw new Error(`Port ${port} is taken: stop what uses it, or set PORT to another.`);
}

async function isTaken(port: number): Promise<boolean> {
  const probe = createServer();
  const taken = new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(true));
    probe.listen(port, () => resolve(false));
  });
  if (await taken) return true;
  await new Promise((resolve) => probe.close(resolve));
  return false;
}

/** A port on which no process listens at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (!(await isTaken(port))) return port;
  }
}

async function untilReady(url: string, child: ChildProcess, onProgress: (line: string) => void): Promise<void> {
  let deadline = Date.now() + STALLED_MS;
  let tellAt = Date.now() + PROGRESS_MS;
  let progress = '';
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The API ended while starting.');
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (answer?.ok) return;
    if (answer && Date.now() >= tellAt) {
      tellAt += PROGRESS_MS;
      const reached = readyProgress(await answer.text());
      if (reached !== progress) {
        deadline = Date.now() + STALLED_MS;
        progress = reached;
        onProgress(progress);
      }
    }
    await delay(POLL_MS);
  }
  throw new Error(`The API came no further for ${STALLED_MS / 1000} s.`);
}

/** The progress of a start, from the answer of `/ready`. */
function readyProgress(body: string): string {
  const { status, done, total } = JSON.parse(body) as { status: string; done: number; total: number };
  if (status === 'database unavailable') return 'The database does not answer';
  if (status === 'catching up') return 'The search index is catching up';
  if (status !== 'building' || total === 0) return 'The API is starting';
  return `Building the search index: ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} posts`;
}
