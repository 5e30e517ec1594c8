import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * The network's program. It has a lockfile of its own, because its packages belong neither to the product nor to the
 * workspace.
 */
export const NETWORK = join(import.meta.dirname, '../network');
const ROOT = join(import.meta.dirname, '../../..');
const STAMP = join(NETWORK, 'node_modules', '.installed');
const LOCK = join(NETWORK, '.cache/install.lock');
const POLL_MS = 200;

/**
 * Installs the packages of the network, some 360 MB, if they are missing. Several processes may call it at once: one
 * installs and the others wait. For tests and the demo; the product never calls it. Rejects with the output of the
 * package manager.
 */
export async function installLocalBluesky(onProgress: (line: string) => void = () => {}): Promise<void> {
  while (!isInstalled()) {
    if (!takeLock()) {
      await delay(POLL_MS);
      continue;
    }
    const unlock = () => rmSync(LOCK, { force: true });
    process.once('exit', unlock);
    try {
      if (isInstalled()) return;
      onProgress('Installing the local Bluesky network (360 MB on disk, once)');
      await install();
      writeFileSync(STAMP, wantedHash());
    } finally {
      process.off('exit', unlock);
      unlock();
    }
  }
}

function isInstalled(): boolean {
  return readText(STAMP) === wantedHash();
}

function wantedHash(): string {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}`);
  for (const name of ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml']) {
    hash.update(readFileSync(join(NETWORK, name)));
  }
  return hash.digest('hex');
}

/** A lock of a killed process counts as free. */
function takeLock(): boolean {
  mkdirSync(dirname(LOCK), { recursive: true });
  try {
    writeFileSync(LOCK, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = readText(LOCK);
  if (holder && !isAlive(Number(holder))) rmSync(LOCK, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function install(): Promise<void> {
  const { devEngines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    devEngines: { packageManager: { name: string; version: string } };
  };
  const { name, version } = devEngines.packageManager;
  const options = ['--frozen-lockfile', '--prefer-offline', '--reporter=append-only'];
  const child = spawn('npx', ['-y', `${name}@${version}`, 'install', ...options], {
    cwd: NETWORK,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The local Bluesky network could not be installed:\n${said.trim() || code}`);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
