import { createHash } from 'node:crypto';
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** The sockets of one data directory. */
export interface RuntimeFolder {
  /** The data directory, real path. */
  data: string;
  folder: string;
  /** Socket for leases. Only the supervisor whose engine has the lock publishes it. */
  control: string;
  /** Socket of the database's wire protocol. */
  socket: string;
  log: string;
}

/**
 * Creates the data directory and its private runtime folder (0700). The folder's name is a hash of the data
 * directory's real path, so it is short (socket paths end at 107 bytes) and the same for every process.
 */
export async function prepareRuntimeFolder(directory: string): Promise<RuntimeFolder> {
  await mkdir(directory, { recursive: true });
  const data = await realpath(directory);
  // Not `os.tmpdir()`: processes with different TMPDIR must use the same folder.
  const parent = `/tmp/embedded-mongo-${process.getuid?.() ?? 0}`;
  const folder = join(parent, createHash('sha256').update(data).digest('hex').slice(0, 16));
  await makePrivate(parent);
  await makePrivate(folder);
  return {
    data,
    folder,
    control: join(folder, 'control.sock'),
    socket: join(folder, 'mongodb.sock'),
    log: join(folder, 'engine.log'),
  };
}

async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(path);
  // Any user may create names in /tmp, and the engine has no passwords. So a folder of another user is never used.
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new Error(`${path} is not a private folder of this user; remove it and try again.`);
  }
}
