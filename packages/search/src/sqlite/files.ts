import { renameSync, rmSync, statSync } from 'node:fs';

/** Stands beside a damaged file. */
export const condemned = (path: string) => `${path}-damaged`;

/** The file that is built to take the place of another. */
export const nextTo = (path: string) => `${path}.next`;

export function bytesOf(path: string): number {
  return statSync(path).size;
}

export function removeFile(path: string): void {
  for (const file of [path, ...beside(path)]) rmSync(file, { force: true });
}

/** Replaces a file that its writer has closed by the next one, which is closed as well. Open readers keep the old one. */
export function putInPlace(path: string): void {
  // A log of the old file would be read as one of the new.
  for (const file of beside(path)) rmSync(file, { force: true });
  renameSync(nextTo(path), path);
}

const beside = (path: string) => [`${path}-wal`, `${path}-shm`, condemned(path)];
