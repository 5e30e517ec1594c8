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
/** Entries that are put in with one write. */
const BATCH = 200;
/** Notes that wait; above it they are lost, and the log of the process says so. */
const NOTES_WAITING = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** After which every process has given in what it counted. */
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

/** Frequent acts are told together: `hour` or `day` is their time, in UTC. */
type Counted = Pick<Act, 'actor' | 'act' | 'subject'> & { by: 'hour' | 'day' };

/** The key of the log of acts; a development machine makes and keeps one. */
export function auditKey({ auditKey: given, dataDir }: Needs['config']): string {
  return given ?? keptSecret(dataDir, 'audit-key', 'the log of acts up to then can be checked no more');
}

/**
 * The log of acts: entries that are put at its end and changed by nobody, each marked over the one before by a key that the
 * database does not hold. Any number of processes write it.
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
  /** The last entry as far as this process knows; another may have gone on. */
  #last: AuditEntry | null | undefined;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #counts = new Map<string, AuditCount>();
  /** Up to where this process knows the ledger to tell. */
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
   * Resolves with the entry once it is kept: what it tells is done after that, and not where this fails.
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
   * Records an act and then does it; where doing it fails, that is recorded too, under the same act and subject, with the
   * place of the entry that told of it.
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

  /** Records what nobody waits for. */
  note(act: Act): void {
    if (this.#waiting.length >= NOTES_WAITING) {
      this.#log.error({ act: act.act }, 'the log of acts is behind: an entry was lost');
      return;
    }
    this.#put(act).catch((error) =>
      this.#log.error({ err: error, act: act.act }, 'an entry of the log of acts was lost'),
    );
  }

  /** Counts what is frequent; when its hour or day is over, that becomes one entry. A crash loses a minute's count. */
  count({ by, actor, act, subject }: Counted): void {
    const ms = by === 'hour' ? HOUR_MS : DAY_MS;
    const from = new Date(Math.floor(this.#clock.now().getTime() / ms) * ms);
    const _id = `${act}|${subject.kind}|${subject.id}|${from.toISOString()}`;
    const known = this.#counts.get(_id);
    if (known) known.count++;
    else this.#counts.set(_id, { _id, act, actor, subject, from, endsAt: new Date(from.getTime() + ms), count: 1 });
  }

  /** What stands for an address in the log: the same for the same one, and nobody without the key can try them all. */
  hashOf(address: string): string {
    return createHmac('sha256', this.#key).update(`address ${address}`).digest('base64url').slice(0, 16);
  }

  /** Tells the ledger how far the log has come, where it does not know. */
  async tellHead(): Promise<void> {
    const latest = await this.store.latest();
    if (!latest || latest._id === this.#told) return;
    await this.#ledger.record({ kind: 'audit-head', ...headOf(latest) });
    this.#told = latest._id;
  }

  /** Takes away what is older than it is kept; the log tells up to where, and goes on being one chain. */
  async expire(): Promise<void> {
    const done = expiredUpTo(await this.store.lastOf('expire'));
    // Where a process ended between the entry and the taking away.
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
   * Links a log that a backup has brought back to what the ledger knows to have followed, which is gone: the places of
   * those entries are given to no others.
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

  /** What waits is written, and where this process wrote the ledger learns of it. */
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
    // What comes in the same turn goes together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      let written = 0;
      try {
        written = await this.#append(batch);
      } catch (error) {
        // Some of it may be kept: then the log tells of what was not done, never the other way round.
        this.#last = undefined;
        for (const { reject } of batch) reject(error);
        written = batch.length;
      }
      this.#waiting.splice(0, written);
    }
    this.#writing = undefined;
  }

  /** How many of the batch are kept: none or some where another process was first. */
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

  /** Hands in what this process has counted. */
  async giveCounts(): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    await this.store.addCounts([...counts.values()]);
  }

  /** One entry for each count whose time is over. */
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

/** Up to where an entry says that others went; 0 where it says nothing. */
export function expiredUpTo(entry: AuditEntry | null): number {
  const seq = entry?.act === 'expire' ? entry.after?.['seq'] : undefined;
  return typeof seq === 'number' ? seq : 0;
}

/** What one process at a time does for all. */
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
