import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Locks a directory for the life of this process. A lock of a killed process counts as free. */
export function lockDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'process.lock');
  for (;;) {
    try {
      writeFileSync(path, `${process.pid}`, { flag: 'wx', mode: 0o600 });
      process.once('exit', () => rmSync(path, { force: true }));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(readFileSync(path, 'utf8'));
    if (holder !== process.pid && isAlive(holder)) {
      throw new Error(`its directory is in use by process ${holder}: ${directory}`);
    }
    rmSync(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
