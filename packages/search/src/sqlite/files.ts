import { existsSync, renameSync, rmSync, statSync } from 'node:fs';

/** The marker file beside a damaged index file. */
export const condemned = (path: string) => `${path}-damaged`;

/** The new index file while it is built. */
export const building = (path: string) => `${path}.building`;

/** The new index file once it is complete. */
const next = (path: string) => `${path}.next`;

export function bytesOf(path: string): number {
  return statSync(path).size;
}

export function removeFile(path: string): void {
  for (const file of [path, ...beside(path)]) rmSync(file, { force: true });
}

/**
 * Replaces the current file by the new one. The caller guarantees that no thread writes or opens either file, and that
 * the builder thread has ended. Open readers keep the old file.
 */
export function putInPlace(path: string): void {
  // From here on a restart after a kill also completes the swap.
  renameSync(building(path), next(path));
  endPutting(path);
}

/** Completes a swap that a killed process has begun. */
export function endPutting(path: string): void {
  if (!existsSync(next(path))) return;
  // SQLite would apply the WAL of the old file to the new file.
  for (const file of beside(path)) rmSync(file, { force: true });
  renameSync(next(path), path);
}

const beside = (path: string) => [`${path}-wal`, `${path}-shm`, condemned(path)];
