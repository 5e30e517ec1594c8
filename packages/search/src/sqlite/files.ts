import { existsSync, renameSync, rmSync, statSync } from 'node:fs';

/** Stands beside a damaged file. */
export const condemned = (path: string) => `${path}-damaged`;

/** The file that is built to take the place of another. */
export const building = (path: string) => `${path}.building`;

/** The same once it is whole. */
const next = (path: string) => `${path}.next`;

export function bytesOf(path: string): number {
  return statSync(path).size;
}

export function removeFile(path: string): void {
  for (const file of [path, ...beside(path)]) rmSync(file, { force: true });
}

/**
 * Puts the file that was built in the place of the one in use. No thread writes or opens either, and the one that built it
 * has ended. Open readers keep the old file.
 */
export function putInPlace(path: string): void {
  // From here on also a process that is killed ends with the new file.
  renameSync(building(path), next(path));
  endPutting(path);
}

/** Ends what a killed process has begun. */
export function endPutting(path: string): void {
  if (!existsSync(next(path))) return;
  // A log of the old file would be read as one of the new.
  for (const file of beside(path)) rmSync(file, { force: true });
  renameSync(next(path), path);
}

const beside = (path: string) => [`${path}-wal`, `${path}-shm`, condemned(path)];
