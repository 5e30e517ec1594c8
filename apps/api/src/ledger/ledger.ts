import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BSON } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { KeptEntry, LedgerEntry, LedgerWriter } from './ledger-entry.ts';

/** The database's clock. */
type Clock = { now(): Date };

/** Milliseconds after which a hanging disk, for example over a network, fails the call. */
const DEADLINE_MS = 10_000;

/** Called with each new file before its first entry, so that a restore knows when a file is missing. */
type Register = (name: string) => Promise<unknown>;

/** The ledger folder in a data directory. */
export function ledgerFolder(dataDir: string): string {
  return join(dataDir, 'ledger');
}

/**
 * Appends acts that a restore must not undo to files beside the database. Each process has one file a month, created
 * with its first entry. No other process writes to it, so only its last line can be torn.
 */
export class Ledger implements LedgerWriter {
  readonly #folder: string;
  readonly #clock: Clock;
  /** Distinguishes this process's files from those of all other processes, on any machine. */
  readonly #process = `${process.pid}-${randomBytes(6).toString('hex')}`;
  #file: { handle: FileHandle; month: string } | undefined;
  /** Number of files begun. After a failure a new file is begun, since nothing may follow a partly written line. */
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

  /** For a server: creates the folder at once, so that a restore can notice a missing folder. */
  static async open(...[folder, clock, register]: ConstructorParameters<typeof Ledger>): Promise<Ledger> {
    await mkdir(folder, { recursive: true });
    return new Ledger(folder, clock, register);
  }

  /**
   * An entry written after the deadline stands for an act that was not done, as after a crash. A restore handles both.
   */
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
    // Always increasing, whatever the clock says, because a restore replays in this order.
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

/** Flushes a folder, so that new file names survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
