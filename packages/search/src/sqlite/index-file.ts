import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { building, condemned, endPutting, removeFile } from './files.ts';
import { INDEXES, SCHEMA_VERSION, TABLES } from './schema.ts';

const BUSY_TIMEOUT_MS = 10_000;
/** A file with other tables is built again, even if a change forgot to raise the version. */
const SCHEMA = `${SCHEMA_VERSION} ${TABLES} ${INDEXES}`;

export type IndexFile = Database.Database;
export type Value = string | number | bigint | Uint8Array | null;

/**
 * A prepared statement that takes its values as one list (the library reads a lone object as named values). `all` and
 * `first` read every row at once. An `iterate` that is not read to its end holds an old snapshot of the file. Bytes
 * come back as Uint8Array, because the library's ArrayBuffer does not suit the callers. With `big`, integers come back
 * as bigint: ranks exceed 2^53.
 */
export class Query<T> {
  readonly #statement: ReturnType<IndexFile['prepare']>;

  constructor(db: IndexFile, sql: string, options: { big?: boolean } = {}) {
    this.#statement = db.prepare(sql);
    if (options.big) this.#statement.safeIntegers(true);
  }

  all(...values: Value[]): T[] {
    return [...this.iterate(...values)];
  }

  first(...values: Value[]): T | undefined {
    return this.all(...values)[0];
  }

  *iterate(...values: Value[]): Generator<T> {
    for (const row of this.#statement.iterate(values) as IterableIterator<Record<string, unknown>>) {
      for (const name in row) {
        const value = row[name];
        if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
      }
      yield row as T;
    }
  }

  /** Returns the number of changed rows. */
  run(...values: Value[]): number {
    return this.#statement.run(values).changes;
  }
}

/**
 * Opens the file for writing. Replaces a file that is missing, incomplete, untrusted or of another archive by an empty
 * one.
 */
export function openForWriting(path: string, epoch: string): { db: IndexFile; isEmpty: boolean } {
  mkdirSync(dirname(path), { recursive: true });
  endPutting(path);
  removeFile(building(path));
  const kept = existsSync(condemned(path)) ? undefined : openKept(path, epoch);
  if (kept) return { db: kept, isEmpty: false };
  removeFile(path);
  return { db: makeEmpty(path, epoch), isEmpty: true };
}

/** Opens a new file beside the current one; `putInPlace` makes it current. */
export function openForBuilding(path: string, epoch: string): { db: IndexFile; isEmpty: true } {
  removeFile(building(path));
  const db = makeEmpty(building(path), epoch);
  // A build that fails leaves nothing, so it needs no log, which would be written as well as the file.
  db.exec('PRAGMA journal_mode = OFF');
  return { db, isEmpty: true };
}

function makeEmpty(path: string, epoch: string): IndexFile {
  const db = new Database(path);
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;');
  tuneForWriting(db);
  db.exec(TABLES);
  // Large pages and late merges, because posts arrive in any order of time and every merge rewrites what it touches.
  // FTS5 merges some pages with each batch. It merges a level of `crisismerge` segments at once, with a log as large as
  // the level.
  db.exec(
    `INSERT INTO search (search, rank) VALUES ('hashsize', 33554432), ('pgsz', 4050), ('automerge', 16), ('crisismerge', 64)`,
  );
  setMeta(db, 'schema', SCHEMA);
  setMeta(db, 'epoch', epoch);
  beginUse(db);
  return db;
}

/** Writes a marker beside a damaged file, so that no later start trusts it. */
export function condemn(path: string): void {
  writeFileSync(condemned(path), '');
}

/** Opens the file of a running process read-only. `once` saves memory if everything is read only once. */
export function openForReading(path: string, options: { once?: boolean } = {}): IndexFile {
  const db = new Database(path);
  db.exec(`PRAGMA mmap_size = ${options.once ? 0 : 2 ** 32}; PRAGMA cache_size = ${options.once ? -8_192 : -65_536};`);
  db.exec('PRAGMA busy_timeout = 10000; PRAGMA temp_store = MEMORY; PRAGMA query_only = ON;');
  return db;
}

export function getMeta(db: IndexFile, key: string): unknown {
  return new Query<{ value: unknown }>(db, 'SELECT value FROM meta WHERE key = ?').first(key)?.value;
}

export function setMeta(db: IndexFile, key: string, value: string | number): void {
  new Query(db, 'INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(key, value);
}

/** Makes the indexes and marks the file as complete. A start replaces a file without the mark. */
export function finishBuild(db: IndexFile): void {
  db.exec(INDEXES);
  setMeta(db, 'built', 1);
}

function openKept(path: string, epoch: string): IndexFile | undefined {
  let db: IndexFile | undefined;
  try {
    db = new Database(path, { fileMustExist: true });
    tuneForWriting(db);
    // Writes are not synced. They survive the end of the process, but not a crash of the machine.
    const isSound = getMeta(db, 'clean') === 1 || getMeta(db, 'boot') === bootId();
    if (isSound && isOurs(db, epoch)) {
      // Reads the full text's settings and its structure. If they are damaged, this throws.
      new Query(db, `SELECT rowid FROM search WHERE search MATCH '"   "' LIMIT 1`).all();
      beginUse(db);
      return db;
    }
    db.close();
  } catch (error) {
    if (db?.open) db.close();
    if ((error as { code?: string }).code === 'SQLITE_FULL') throw error;
    // Not an index file, or a damaged one. All its content can be derived again.
  }
  return undefined;
}

function isOurs(db: IndexFile, epoch: string): boolean {
  return getMeta(db, 'schema') === SCHEMA && getMeta(db, 'built') === 1 && getMeta(db, 'epoch') === epoch;
}

/** Closes a written file durably: it can be trusted after a crash of the machine. */
export function closeWritten(db: IndexFile): void {
  db.exec('PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL;');
  setMeta(db, 'clean', 1);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Records durably that the file can be trusted only until the machine restarts. Then it stops syncing. */
function beginUse(db: IndexFile): void {
  db.exec('PRAGMA synchronous = FULL');
  setMeta(db, 'clean', 0);
  setMeta(db, 'boot', bootId());
  db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = OFF;');
}

/** An id of the present boot of the machine. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Other systems have no such id. A random one makes a start rebuild each file that was not closed.
    return randomUUID();
  }
}

function tuneForWriting(db: IndexFile): void {
  db.exec('PRAGMA cache_size = -131072; PRAGMA temp_store = MEMORY;');
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  db.exec('PRAGMA wal_autocheckpoint = 10000');
}
