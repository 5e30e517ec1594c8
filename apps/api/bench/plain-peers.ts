import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

const API = resolve(import.meta.dirname, '..');
/** Pages per second of Express on the machine for which `docs/benchmarks.md` states its times. */
const EXPRESS_THERE = 15_000;

/** The factor by which work may take longer on this machine: how much slower Express sends ready pages. At least 1. */
export async function measureSlowness(bytes: Buffer): Promise<{ slowness: number; express: number }> {
  const plain = await startPlainServers(bytes);
  try {
    await requestsPerSecond(plain.express);
    const express = await requestsPerSecond(plain.express);
    return { slowness: Math.max(1, EXPRESS_THERE / express), express };
  } finally {
    await plain.stop();
  }
}

/** Starts Express and plain Node, which send these bytes, as a comparison for the product. */
export async function startPlainServers(
  bytes: Buffer,
): Promise<{ express: string; node: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(API, 'bench/plain-servers.ts')], {
    cwd: API,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(bytes);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { express: first, node } = JSON.parse(line.toString()) as { express: number; node: number };
  return {
    express: `http://127.0.0.1:${first}/`,
    node: `http://127.0.0.1:${node}/`,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Measures requests per second with 50 connections, for four seconds. */
export async function requestsPerSecond(url: string): Promise<number> {
  const script = join(API, 'node_modules/autocannon/autocannon.js');
  const child = spawn(process.execPath, [script, '-c', '50', '-d', '4', '--json', url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  const result = JSON.parse(text) as { requests: { average: number }; non2xx: number; errors: number };
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}
