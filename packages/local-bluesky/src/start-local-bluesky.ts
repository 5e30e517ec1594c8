import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BlueskyAddresses, type BlueskyNetwork, connectLocalBluesky } from './bluesky-network.ts';
import { installLocalBluesky, NETWORK } from './install-local-bluesky.ts';

const STOP_TIMEOUT_MS = 10_000;

export interface LocalBlueskyOptions {
  /** Receives the output of the installation and of the network, line by line. */
  log?: (line: string) => void;
}

export interface LocalBluesky extends BlueskyNetwork {
  /** Process id of the network. */
  pid: number;
  /** Lets this process end while the network runs; the network then ends too. */
  unref(): void;
  /** Resolves when the whole network has ended and its files are deleted. */
  stop(): Promise<void>;
}

/**
 * Starts a private Bluesky network on this machine: PLC directory, AppView over PostgreSQL, and a server of accounts
 * (PDS), as Bluesky runs them, with a stand-in for Jetstream. It is installed first if necessary. It runs as a separate
 * process, ends with its opener and leaves no files. Rejects with the reason if it cannot start.
 *
 * ```ts
 * const bluesky = await startLocalBluesky();
 * const ada = await bluesky.createAccount({ handle: 'ada.test', displayName: 'Ada' });
 * const post = await ada.post({ text: 'hello' });
 * await bluesky.stop();
 * ```
 */
export async function startLocalBluesky({ log = () => {} }: LocalBlueskyOptions = {}): Promise<LocalBluesky> {
  await installLocalBluesky(log);
  const folder = mkdtempSync(join(tmpdir(), 'local-bluesky-'));
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['--no-deprecation', join(NETWORK, 'main.mjs'), folder], {
    cwd: NETWORK,
    // The network gets nothing else of the opener's environment (debuggers, loaders, secrets).
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const output of [child.stdout, child.stderr]) if (output) createInterface(output).on('line', log);
  const ended = once(child, 'exit').then(([code, signal]) => {
    rmSync(folder, { recursive: true, force: true });
    return `it ended with ${signal ?? `exit code ${code}`}`;
  });
  const addresses = await untilReady(child, ended);
  return {
    ...connectLocalBluesky(addresses),
    pid: child.pid as number,
    unref: () => {
      child.unref();
      child.channel?.unref();
      for (const output of [child.stdout, child.stderr]) (output as Socket).unref();
    },
    stop: async () => {
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      if (child.connected) child.send('stop');
      await ended;
      clearTimeout(killer);
    },
  };
}

async function untilReady(child: ChildProcess, ended: Promise<string>): Promise<BlueskyAddresses> {
  const told = once(child, 'message').then(([message]) => message as { ready?: BlueskyAddresses; failed?: string });
  const { ready, failed } = await Promise.race([told, ended.then((reason) => ({ ready: undefined, failed: reason }))]);
  if (!ready) throw new Error(`The local Bluesky network did not start: ${failed}.`);
  return ready;
}
