import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { AppError } from '../app-error.ts';
import { LeasedLoop } from '../background/leased-loop.ts';
import { Loop } from '../background/loop.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { keptSecret } from '../kept-file.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { withTimeout } from '../with-timeout.ts';
import { type Act, type AuditEntry, type AuditHead, EMPTY_HEAD, sealEntry } from './audit-entry.ts';
import { type AuditCount, AuditStore, headOf } from './audit-store.ts';

const RECORD_MS = 5_000;
const KEEP_EVERY_MS = 60_000;
/** Entries in one write. */
const BATCH = 200;
/** Most waiting notes. Further notes are dropped and reported in the process log. */
const NOTES_WAITING = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After this time every process has added its counts. */
const COUNT_GRACE_MS = 3 * KEEP_EVERY_MS;
const COUNTS_AT_ONCE = 1_000;

interface Needs {
  config: Pick<Config, 'auditKey' | 'auditDays' | 'dataDir'>;
  database: Database;
  ledger: LedgerWriter;
  log: Logger;
}

interface Waiting {
  act: Act;
  resolve(entry: AuditEntry): void;
  reject(error: unknown): void;
}

/** A frequent act, counted over an `hour` or a `day` in UTC. */
type Counted = Pick<Act, 'actor' | 'act' | 'subject'> & { by: 'hour' | 'day' };

/** The key of the audit log; a development machine creates and keeps one. */
export function auditKey({ auditKey: given, dataDir }: Needs['config']): string {
  return given ?? keptSecret(dataDir, 'audit-key', 'the log of acts up to then can be checked no more');
}

/**
 * The audit log: entries are only appended. Each has an HMAC over itself and the previous entry's mark, with a key that
 * the database does not hold. Any number of processes append.
 */
export class Audit {
  readonly store: AuditStore;
  readonly #key: string;
  readonly #clock: Database['clock'];
  readonly #ledger: LedgerWriter;
  readonly #log: Logger;
  readonly #keeper: AuditKeeper;
  readonly #loop: Loop;
  readonly #days: number;
  /** The last entry that this process knows; other processes may have appended more. */
  #last: AuditEntry | null | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #counts = new Map<string, AuditCount>();
  /** Number of the last entry that this process has written to the ledger. */
  #told = 0;
  #hasWritten = false;

  constructor({ config, database, ledger, log }: Needs) {
    this.store = new AuditStore(database.db);
    this.#key = auditKey(config);
    this.#clock = database.clock;
    this.#ledger = ledger;
    this.#log = log;
    this.#days = config.auditDays;
    this.#keeper = new AuditKeeper({ database, log }, () => [
      () => this.tellEnded(),
      () => this.expire(),
      () => this.tellHead(),
    ]);
    this.#loop = new Loop({
      pauseMs: KEEP_EVERY_MS,
      work: () => this.giveCounts(),
      onFailure: (error) => log.error({ err: error }, 'what was counted for the log of acts was not kept'),
    });
  }

  /**
   * Resolves with the entry once it is stored. The caller acts only after that, and not at all if this fails.
   *
   * @throws AppError audit_unavailable
   */
  async record(act: Act): Promise<AuditEntry> {
    const late = () => new Error(`the log of acts took longer than ${RECORD_MS} ms`);
    try {
      return await withTimeout(this.#put(act), RECORD_MS, late);
    } catch (cause) {
      throw new AppError('audit_unavailable', 'This cannot be recorded right now, so nothing was done.', {
        headers: { 'Retry-After': '5' },
        cause,
      });
    }
  }

  /**
   * Records an act and then does it. If that fails, a second entry with the same act and subject names the first one as
   * not done.
   */
  async perform<T>(act: Act, run: () => Promise<T>): Promise<T> {
    const { _id } = await this.record(act);
    try {
      return await run();
    } catch (error) {
      const { before: _before, reason: _reason, ...rest } = act;
      this.note({ ...rest, after: { notDone: _id, code: error instanceof AppError ? error.code : 'internal_error' } });
      throw error;
    }
  }

  /** Records an act without waiting. */
  note(act: Act): void {
    if (this.#waiting.length >= NOTES_WAITING) {
      this.#log.error({ act: act.act }, 'the log of acts is behind: an entry was lost');
      return;
    }
    this.#put(act).catch((error) =>
      this.#log.error({ err: error, act: act.act }, 'an entry of the log of acts was lost'),
    );
  }

  /**
   * Counts a frequent act; when its hour or day is over, the count becomes one entry. A crash loses the counts of a
   * minute.
   */
  count({ by, actor, act, subject }: Counted): void {
    const ms = by === 'hour' ? HOUR_MS : DAY_MS;
    const from = new Date(Math.floor(this.#clock.now().getTime() / ms) * ms);
    const _id = `${act}|${subject.kind}|${subject.id}|${from.toISOString()}`;
    const known = this.#counts.get(_id);
    if (known) known.count++;
    else this.#counts.set(_id, { _id, act, actor, subject, from, endsAt: new Date(from.getTime() + ms), count: 1 });
  }

  /**
   * A pseudonym for an address: equal for equal addresses. Without the key, it cannot be found by trying all addresses.
   */
  hashOf(address: string): string {
    return createHmac('sha256', this.#key).update(`address ${address}`).digest('base64url').slice(0, 16);
  }

  /** Writes the last entry's number and mark to the ledger if they have changed. */
  async tellHead(): Promise<void> {
    const latest = await this.store.latest();
    if (!latest || latest._id === this.#told) return;
    await this.#ledger.record({ kind: 'audit-head', ...headOf(latest) });
    this.#told = latest._id;
  }

  /** Removes expired entries. An entry names the last one removed, so that the rest stays one chain. */
  async expire(): Promise<void> {
    const done = expiredUpTo(await this.store.lastOf('expire'));
    // Completes a removal that a process began but did not finish.
    if (done) await this.store.drop(done);
    const old = await this.store.lastBefore(this.#days);
    if (!old) return;
    await this.record({
      actor: { kind: 'system' },
      act: 'expire',
      subject: { kind: 'log', id: 'audit' },
      after: { ...headOf(old) },
    });
    await this.store.drop(old._id);
  }

  /**
   * Links a restored log to the last entry that the ledger knows. The numbers of the lost entries in between are not
   * used again.
   */
  async linkRestore(told: AuditHead | null): Promise<void> {
    const latest = await this.store.latest();
    const backup = latest ? headOf(latest) : EMPTY_HEAD;
    const seq = Math.max(backup.seq, told?.seq ?? 0) + 1;
    const act: Act = {
      actor: { kind: 'command line' },
      act: 'restore',
      subject: { kind: 'log', id: 'audit' },
      after: { backup: { ...backup }, ledger: told && { ...told } },
    };
    const entry = sealEntry(act, seq, this.#next(latest), backup.mark, this.#key);
    if ((await this.store.append([entry])) === 0) throw new Error('somebody writes into the log of acts meanwhile');
    this.#last = entry;
    await this.tellHead();
  }

  start(): void {
    this.#loop.start();
    this.#keeper.start();
  }

  /** Writes what is waiting. If this process has written entries, it also updates the ledger. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#keeper.stop();
    await this.#writing;
    try {
      await this.giveCounts();
      if (this.#hasWritten) await this.tellHead();
    } catch (error) {
      this.#log.error({ err: error }, 'the log of acts could not be closed');
    }
  }

  #put(act: Act): Promise<AuditEntry> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ act, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    // Entries of the same turn of the event loop go into one batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      let written = 0;
      try {
        written = await this.#append(batch);
      } catch (error) {
        // Some entries may be stored. The log may then contain acts that were not done, but never lacks acts that were.
        this.#last = undefined;
        for (const { reject } of batch) reject(error);
        written = batch.length;
      }
      this.#waiting.splice(0, written);
    }
    this.#writing = undefined;
  }

  /** Returns how many entries of the batch were stored. Fewer than all if another process has appended first. */
  async #append(batch: readonly Waiting[]): Promise<number> {
    this.#last = this.#last === undefined ? await this.store.latest() : this.#last;
    const entries: AuditEntry[] = [];
    let last = this.#last;
    for (const { act } of batch) {
      last = sealEntry(act, (last?._id ?? 0) + 1, this.#next(last), last?.mark ?? '', this.#key);
      entries.push(last);
    }
    const written = await this.store.append(entries);
    for (const [at, entry] of entries.slice(0, written).entries()) batch[at]?.resolve(entry);
    if (written > 0) this.#hasWritten = true;
    this.#last = written === entries.length ? last : undefined;
    return written;
  }

  #next(last: AuditEntry | null | undefined): Date {
    return new Date(Math.max(this.#clock.now().getTime(), last?.at.getTime() ?? 0));
  }

  /** Adds this process's counts to the database. */
  async giveCounts(): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    await this.store.addCounts([...counts.values()]);
  }

  /** Writes one entry for each count whose period is over. */
  async tellEnded(): Promise<void> {
    const ended = await this.store.endedCounts(COUNT_GRACE_MS, COUNTS_AT_ONCE);
    for (const one of ended) {
      if (await this.store.hasCount(one)) continue;
      const { actor, act, subject, from, endsAt, count } = one;
      await this.record({
        actor,
        act,
        subject,
        after: { from: from.toISOString(), until: endsAt.toISOString(), count },
      });
    }
    await this.store.dropCounts(ended.map(({ _id }) => _id));
  }
}

/** The last removed number that an expire entry names; 0 for any other entry. */
export function expiredUpTo(entry: AuditEntry | null): number {
  const seq = entry?.act === 'expire' ? entry.after?.['seq'] : undefined;
  return typeof seq === 'number' ? seq : 0;
}

/** The steps that one process at a time runs for all. */
class AuditKeeper extends LeasedLoop {
  readonly #steps: () => (() => Promise<unknown>)[];

  constructor(base: { database: Database; log: Logger }, steps: () => (() => Promise<unknown>)[]) {
    super(base, { name: 'audit', tickMs: KEEP_EVERY_MS });
    this.#steps = steps;
  }

  protected steps() {
    return this.#steps();
  }
}
