import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const READY_TIMEOUT_MS = 60_000;

export interface ProductProcess {
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the built API and waits until it can serve. */
export async function startProduct(dist: string, env: NodeJS.ProcessEnv): Promise<ProductProcess> {
  const child = spawn(process.execPath, [join(dist, 'main.js')], { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${env['PORT']}`;
  await untilReady(url, child);
  return {
    url,
    child,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

export async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`${url}/ready`).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('the API did not become ready');
    await delay(25);
  }
}

/** A port nobody uses at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((end) => probe.close(end));
  return typeof address === 'object' && address ? address.port : 0;
}
