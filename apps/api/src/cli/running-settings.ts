import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Record<string, string | undefined>;

const FILE = 'running-settings.json';
/** Settings of the running server that commands need, besides those that it chose itself. None is secret. */
const LEFT = [
  'ADMIN_WALLETS',
  'FEATURE_PRICE',
  'PORT',
  'PUBLIC_URL',
  // Without the key of the bucket a command refuses. It would look at the folder of media otherwise.
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'SEARCH_INDEX',
  'SEARCH_URL',
];

/**
 * Writes the settings of a server for commands on the same machine. Returns a function that deletes them. If two
 * servers share the folder, the first one's count.
 */
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

/** Sets missing environment variables to the values of the running server. */
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

/** The settings of a server that still runs; null if there is none. */
function readFile(dataDir: string): Left | null {
  try {
    const left = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Left;
    process.kill(left.pid, 0);
    return left;
  } catch {
    // No server runs here, or it was killed.
    return null;
  }
}
