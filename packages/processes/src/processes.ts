import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Root of the checkout. */
export const ROOT = join(import.meta.dirname, '../../..');
export const BIN = join(ROOT, 'node_modules/.bin');
export const TURBO = join(BIN, 'turbo');

const END_WITH_PARENT = pathToFileURL(join(import.meta.dirname, 'end-with-parent.mjs')).href;
const STOP_TIMEOUT_MS = 20_000;
const DEFAULT_TIMEOUT_MS = 600_000;

export interface Finished {
  code: number;
  /** Its output, if captured. */
  output: string;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Capture the output instead of showing it. */
  quiet?: boolean;
  /** A person uses it at a terminal: it reads the keyboard and has no time limit. */
  interactive?: boolean;
  timeoutMs?: number;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** Runs a program to its end. A time-out kills it and counts as a failure. */
export async function run(command: string, args: string[], options: RunOptions = {}): Promise<Finished> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: [
      options.interactive ? 'inherit' : 'ignore',
      options.quiet ? 'pipe' : 'inherit',
      options.quiet ? 'pipe' : 'inherit',
    ],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const stop = () => {
    output += `\nstopped after ${timeoutMs / 1000} s`;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS).unref();
  };
  const timer = options.interactive ? undefined : setTimeout(stop, timeoutMs);
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(127);
    });
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  clearTimeout(timer);
  running.delete(child);
  return { code, output };
}

/** Runs a TypeScript file in a separate Node process. */
export function runScript(file: string, args: string[], options: RunOptions = {}): Promise<Finished> {
  return run(process.execPath, ['--import', 'tsx', join(ROOT, file), ...args], options);
}

/** Starts a long-running Node process that ends when this one does. */
export function startNode(args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, ...args], {
    ...options,
    // In a session of its own, so that a terminal's Ctrl-C reaches only this process, which stops everything in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Asks a process to stop and waits for it; kills it after `STOP_TIMEOUT_MS`. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(killer);
}
