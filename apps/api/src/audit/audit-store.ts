import type { ActorKind } from '@archive/contracts';
import { type Collection, type Db, type Filter, MongoBulkWriteError } from 'mongodb';
import { isDuplicateKey, PROMPT } from '../db/database.ts';
import type { AuditEntry, AuditHead } from './audit-entry.ts';

/** Conditions on entries; all must hold. */
export interface LogFilter {
  /** A wallet, a key's id, or a kind of actor. */
  actor?: string | undefined;
  act?: string | undefined;
  /** An id, or a kind of subject. */
  subject?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Text in the reason, the act, or an id. */
  words?: string | undefined;
}

/** A count of frequent acts, which becomes one entry when its period is over. */
export interface AuditCount {
  /** Act, subject and the start of the period. */
  _id: string;
  act: string;
  actor: { kind: ActorKind; id?: string };
  subject: { kind: string; id: string };
  from: Date;
  endsAt: Date;
  count: number;
}

/** Excludes documents that were inserted by hand with another type of `_id`. */
const IS_ENTRY: Filter<AuditEntry> = { _id: { $gt: 0 } };

/** Entries are appended and, when they expire, removed from the front. No entry is ever changed. */
export class AuditStore {
  readonly #entries: Collection<AuditEntry>;
  readonly #counts: Collection<AuditCount>;

  constructor(db: Db) {
    this.#entries = db.collection<AuditEntry>('audit');
    this.#counts = db.collection<AuditCount>('audit_counts');
  }

  latest(): Promise<AuditEntry | null> {
    return this.#entries.findOne(IS_ENTRY, { sort: { _id: -1 }, ...PROMPT });
  }

  /** Returns how many entries were inserted. It stops at the first one whose number is taken. */
  async append(entries: readonly AuditEntry[]): Promise<number> {
    try {
      await this.#entries.insertMany([...entries], { ordered: true, ...PROMPT });
      return entries.length;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return error instanceof MongoBulkWriteError ? error.insertedCount : 0;
    }
  }

  /** Entries that match the filter, oldest first. */
  walk(filter: LogFilter = {}): AsyncIterable<AuditEntry> {
    return this.#entries.find(queryOf(filter), { sort: { _id: 1 }, batchSize: 1_000 });
  }

  /** Entries that match the filter, latest first, before a number. */
  list(filter: LogFilter, limit: number, before?: number): Promise<AuditEntry[]> {
    const upTo = before === undefined ? {} : { _id: { $lt: before } };
    const query = { $and: [queryOf(filter), upTo] };
    return this.#entries.find(query, { sort: { _id: -1 }, limit, ...PROMPT }).toArray();
  }

  /** The last entry older than this; null if there is none. */
  lastBefore(days: number): Promise<AuditEntry | null> {
    const isOld = { $expr: { $lt: ['$at', { $subtract: ['$$NOW', days * 86_400_000] }] } };
    return this.#entries.findOne({ ...IS_ENTRY, ...isOld }, { sort: { _id: -1 } });
  }

  /** The last entry of an act. */
  lastOf(act: string): Promise<AuditEntry | null> {
    return this.#entries.findOne({ act }, { sort: { _id: -1 } });
  }

  async drop(upTo: number): Promise<void> {
    await this.#entries.deleteMany({ _id: { $lte: upTo } });
  }

  async addCounts(counts: readonly AuditCount[]): Promise<void> {
    if (counts.length === 0) return;
    await this.#counts.bulkWrite(
      counts.map(({ _id, count, ...fields }) => ({
        updateOne: { filter: { _id }, update: { $inc: { count }, $setOnInsert: fields }, upsert: true },
      })),
      { ordered: false },
    );
  }

  /** Counts whose period ended at least `graceMs` ago, when every process has added its own. */
  endedCounts(graceMs: number, limit: number): Promise<AuditCount[]> {
    const isOver = { $expr: { $lt: ['$endsAt', { $subtract: ['$$NOW', graceMs] }] } };
    return this.#counts.find(isOver, { sort: { _id: 1 }, limit }).toArray();
  }

  async dropCounts(ids: readonly string[]): Promise<void> {
    await this.#counts.deleteMany({ _id: { $in: [...ids] } });
  }

  /** Whether a count has become an entry already. */
  async hasCount({ act, subject, from }: AuditCount): Promise<boolean> {
    const found = await this.#entries.findOne({ act, 'subject.id': subject.id, 'after.from': from.toISOString() });
    return found !== null;
  }
}

export function headOf(entry: Pick<AuditEntry, '_id' | 'mark'>): AuditHead {
  return { seq: entry._id, mark: entry.mark };
}

function queryOf({ actor, act, subject, since, until, words }: LogFilter): Filter<AuditEntry> {
  const text = words && { $regex: words.replace(/[^A-Za-z0-9 ]/g, '\\$&'), $options: 'i' };
  return {
    $and: [
      {},
      ...(actor ? [{ $or: [{ 'actor.id': actor }, { 'actor.kind': actor as ActorKind }] }] : []),
      ...(act ? [{ act }] : []),
      ...(subject ? [{ $or: [{ 'subject.id': subject }, { 'subject.kind': subject }] }] : []),
      ...(since ? [{ at: { $gte: since } }] : []),
      ...(until ? [{ at: { $lt: until } }] : []),
      ...(text ? [{ $or: ['reason', 'act', 'actor.id', 'subject.id'].map((field) => ({ [field]: text })) }] : []),
    ],
  };
}
