import type { RemovalSelection } from '@archive/contracts';
import { type Collection, type Db, ObjectId } from 'mongodb';
import type { Actor } from '../audit/audit-entry.ts';
import { fromNow } from '../db/expiry.ts';

/** A process that has not renewed its lease for this long has died. */
const LEASE_MS = 60_000;

/** A removal of many posts, from its confirmation to its end. */
export interface RemovalDocument {
  _id: ObjectId;
  selection: RemovalSelection;
  /** Whether the same posts are refused if they are sent again. */
  isRefused: boolean;
  actor: Actor;
  state: 'running' | 'done';
  total: number;
  done: number;
  createdAt: Date;
  endedAt: Date | null;
  leaseUntil: Date;
}

export class RemovalStore {
  readonly #removals: Collection<RemovalDocument>;

  constructor(db: Db) {
    this.#removals = db.collection<RemovalDocument>('removals');
  }

  find(id: ObjectId): Promise<RemovalDocument | null> {
    return this.#removals.findOne({ _id: id });
  }

  async begin(removal: Pick<RemovalDocument, 'selection' | 'isRefused' | 'actor' | 'total'>): Promise<RemovalDocument> {
    const { selection, isRefused, actor, total } = removal;
    const fields = { $literal: { selection, isRefused, actor, state: 'running', total, done: 0, endedAt: null } };
    const times = { createdAt: '$$NOW', leaseUntil: fromNow(LEASE_MS) };
    const begun = await this.#removals.findOneAndUpdate(
      { _id: new ObjectId() },
      [{ $replaceWith: { $mergeObjects: ['$$ROOT', fields, times] } }],
      { upsert: true, returnDocument: 'after' },
    );
    return begun as RemovalDocument;
  }

  /** Takes over a removal whose process has died; null if there is none. */
  resume(): Promise<RemovalDocument | null> {
    return this.#removals.findOneAndUpdate(
      { state: 'running', $expr: { $lt: ['$leaseUntil', '$$NOW'] } },
      [{ $set: { leaseUntil: fromNow(LEASE_MS) } }],
      { returnDocument: 'after' },
    );
  }

  async progress(_id: ObjectId, removed: number): Promise<void> {
    await this.#removals.updateOne({ _id }, [
      { $set: { done: { $add: ['$done', removed] }, leaseUntil: fromNow(LEASE_MS) } },
    ]);
  }

  async end(_id: ObjectId): Promise<RemovalDocument> {
    const ended = await this.#removals.findOneAndUpdate({ _id }, [{ $set: { state: 'done', endedAt: '$$NOW' } }], {
      returnDocument: 'after',
    });
    return ended as RemovalDocument;
  }
}
