import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Record<string, string | undefined>;

const FILE = 'running-settings.json';
/** What commands ask for of the server that runs beside them, besides what it chose by itself; nothing of it is secret. */
const LEFT = ['ADMIN_WALLETS', 'FEATURE_PRICE', 'PORT', 'PUBLIC_URL', 'SEARCH_INDEX', 'SEARCH_URL'];

/** Leaves what a server on this machine was started with to the commands beside it; answers how to take it back. Of two servers over one folder the first one's count. */
export function leaveSettings(dataDir: string, given: Environment, chosen: Environment): () => void {
  const path = join(dataDir, FILE);
  const { pid } = process;
  const held = readFile(dataDir);
  if (held && held.pid !== pid) return () => {};
  const settings = { ...Object.fromEntries(LEFT.map((name) => [name, given[name]])), ...chosen };
  writeFileSync(path, JSON.stringify({ pid, settings }), { mode: 0o600 });
  return () => {
    if (readFile(dataDir)?.pid === pid) rmSync(path, { force: true });
  };
}

/** Sets what the environment does not, as the server beside it has it, while that one runs. */
export function takeSettings(env: Environment): void {
  if (!env['DATA_DIR'] || env['NODE_ENV'] === 'production') return;
  for (const [name, value] of Object.entries(readFile(env['DATA_DIR'])?.settings ?? {})) {
    if (!env[name] && !env[`${name}_FILE`]) env[name] = value;
  }
}

interface Left {
  pid: number;
  settings: Record<string, string>;
}

/** What a server has left that still runs. */
function readFile(dataDir: string): Left | null {
  try {
    const left = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Left;
    process.kill(left.pid, 0);
    return left;
  } catch {
    // None runs here, or it was killed.
    return null;
  }
}
