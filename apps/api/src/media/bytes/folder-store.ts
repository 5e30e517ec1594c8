import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteRange, type ByteStore, checkName } from './byte-store.ts';

/** A draft older than this was left by a killed process; younger ones may still be in use by another process. */
const LEFT_BEHIND_MS = 60 * 60_000;
const COMING = 'coming';

/** Bytes as files, `ab/abcdef…`, on a disk that all processes of this archive share. */
export class FolderStore implements ByteStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Deletes the drafts of killed processes. */
  async start(): Promise<void> {
    await mkdir(join(this.#folder, COMING), { recursive: true });
    for (const name of await readdir(join(this.#folder, COMING))) {
      const path = join(this.#folder, COMING, name);
      const at = await timeOf(path);
      if (at && Date.now() - at.getTime() > LEFT_BEHIND_MS) await rm(path, { force: true });
    }
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const folder = this.#folderOf(name);
    await mkdir(join(this.#folder, COMING), { recursive: true });
    const isNew = (await mkdir(folder, { recursive: true })) !== undefined;
    const draft = join(this.#folder, COMING, randomUUID());
    try {
      await write(draft, bytes);
      // A link, since a rename would replace an existing file.
      await link(draft, join(folder, name)).catch(unless('EEXIST'));
    } finally {
      await rm(draft, { force: true });
    }
    await sync(folder);
    if (isNew) await sync(this.#folder);
  }

  async open(name: string, range: ByteRange) {
    const handle = await open(join(this.#folderOf(name), name)).catch(unless('ENOENT'));
    return handle?.createReadStream(range) ?? null;
  }

  async has(name: string): Promise<boolean> {
    return (await timeOf(join(this.#folderOf(name), name))) !== null;
  }

  async remove(name: string): Promise<void> {
    await unlink(join(this.#folderOf(name), name)).catch(unless('ENOENT'));
  }

  async *list(prefix: string) {
    const folder = join(this.#folder, prefix);
    for (const name of (await readdir(folder).catch(unless('ENOENT'))) ?? []) {
      const at = await timeOf(join(folder, name));
      if (at) yield { name, at };
    }
  }

  #folderOf(name: string): string {
    return join(this.#folder, checkName(name).slice(0, 2));
  }
}

async function write(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Flushes a folder, so that new file names survive a power failure. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

async function timeOf(path: string): Promise<Date | null> {
  return (await stat(path).catch(unless('ENOENT')))?.mtime ?? null;
}

/** Ignores failures with this code. */
function unless(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error;
  };
}
