import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BSON } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { KeptEntry, LedgerEntry, LedgerWriter } from './ledger-entry.ts';

/** The database's. */
type Clock = { now(): Date };

/** A disk that hangs, as one over a network may, must not keep callers for good. */
const DEADLINE_MS = 10_000;

/** Told of each file before anything stands in it, so that a restore knows when one is missing. */
type Register = (name: string) => Promise<unknown>;

/** Where the ledger of a data directory lies. */
export function ledgerFolder(dataDir: string): string {
  return join(dataDir, 'ledger');
}

/**
 * The acts that a restore must not undo, appended to files beside the database: one a month and process, made with its
 * first entry and never written by anybody else, so that only the last line of a file can be torn.
 */
export class Ledger implements LedgerWriter {
  readonly #folder: string;
  readonly #clock: Clock;
  /** Tells this process's files from those of any other, on whatever machine. */
  readonly #process = `${process.pid}-${randomBytes(6).toString('hex')}`;
  #file: { handle: FileHandle; month: string } | undefined;
  /** Files begun: after a failure another one is, for nothing may follow a line of which only a part was written. */
  #files = 0;
  #at = new Date(0);
  #last: Promise<void> = Promise.resolve();

  readonly #register: Register;
  readonly #deadlineMs: number;

  constructor(folder: string, clock: Clock, register: Register, deadlineMs = DEADLINE_MS) {
    this.#folder = folder;
    this.#clock = clock;
    this.#register = register;
    this.#deadlineMs = deadlineMs;
  }

  /** For a server, which makes the folder at once: where there is none, a restore knows that something is missing. */
  static async open(...[folder, clock, register]: ConstructorParameters<typeof Ledger>): Promise<Ledger> {
    await mkdir(folder, { recursive: true });
    return new Ledger(folder, clock, register);
  }

  /** What comes to be on disk after the deadline is an act that was not done, as after a crash: a restore copes with both. */
  record(entry: LedgerEntry): Promise<void> {
    const written = this.#last.then(() => this.#append(entry));
    this.#last = written.catch(() => {});
    return Promise.race([written, this.#late()]);
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#leave();
  }

  async #late(): Promise<never> {
    await delay(this.#deadlineMs, undefined, { ref: false });
    throw unavailable(new Error(`the ledger's disk took longer than ${this.#deadlineMs} ms`));
  }

  async #append(entry: LedgerEntry): Promise<void> {
    // In its order whatever the clock says: a restore replays by this.
    this.#at = new Date(Math.max(this.#at.getTime() + 1, this.#clock.now().getTime()));
    const kept: KeptEntry = { at: this.#at, ...entry };
    try {
      const handle = await this.#openFor(kept.at.toISOString().slice(0, 7));
      await handle.appendFile(`${BSON.EJSON.stringify(kept, { relaxed: false })}\n`);
      await handle.datasync();
      if ((await handle.stat()).nlink === 0) throw new Error('the file of the ledger was deleted');
    } catch (cause) {
      await this.#leave().catch(() => {});
      throw unavailable(cause);
    }
  }

  async #openFor(month: string): Promise<FileHandle> {
    if (this.#file?.month === month) return this.#file.handle;
    await this.#leave();
    await mkdir(this.#folder, { recursive: true });
    const name = `${month}-${this.#process}-${++this.#files}.ndjson`;
    const handle = await open(join(this.#folder, name), 'a', 0o600);
    this.#file = { handle, month };
    await syncFolder(this.#folder);
    await this.#register(name);
    return handle;
  }

  async #leave(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.handle.close();
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError('ledger_unavailable', 'This cannot be kept safely right now, so nothing was done.', {
    headers: { 'Retry-After': '10' },
    cause,
  });
}

/** A file's name outlives a power cut once its folder is on disk too. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
