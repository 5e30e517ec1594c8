import type { Collection, Db } from 'mongodb';
import { type LedgerWriter, NO_LEDGER } from '../ledger/ledger-entry.ts';

interface OptOutDocument {
  /** The handle in NFC and lower-case, without the @. */
  _id: string;
  createdAt: Date;
}

/** Authors who refuse token launches from their posts. */
export class OptOutStore {
  readonly #optOuts: Collection<OptOutDocument>;
  readonly #ledger: LedgerWriter;

  constructor(db: Db, ledger: LedgerWriter = NO_LEDGER) {
    this.#ledger = ledger;
    this.#optOuts = db.collection<OptOutDocument>('launch_optouts');
  }

  async has(handle: string): Promise<boolean> {
    return (await this.#optOuts.findOne({ _id: keyOf(handle) })) !== null;
  }

  /** Returns false if the author was in the list already. */
  async add(handle: string, createdAt: Date): Promise<boolean> {
    const _id = keyOf(handle);
    if (await this.has(handle)) return false;
    await this.#ledger.record({ kind: 'opt-out', handle: _id, createdAt });
    const { upsertedCount } = await this.#optOuts.updateOne({ _id }, { $setOnInsert: { createdAt } }, { upsert: true });
    return upsertedCount === 1;
  }

  async remove(handle: string): Promise<boolean> {
    const kept = await this.#optOuts.findOne({ _id: keyOf(handle) });
    if (!kept) return false;
    await this.#ledger.record({ kind: 'opt-in', handle: kept._id, createdAt: kept.createdAt });
    return this.end(kept._id, kept.createdAt);
  }

  /** Ends the opt-out that was made at `createdAt`, but not a later one. */
  async end(handle: string, createdAt: Date): Promise<boolean> {
    return (await this.#optOuts.deleteOne({ _id: keyOf(handle), createdAt })).deletedCount === 1;
  }

  list(): Promise<{ _id: string; createdAt: Date }[]> {
    return this.#optOuts.find().sort({ _id: 1 }).toArray();
  }
}

function keyOf(handle: string): string {
  return handle.replace(/^@/, '').normalize('NFC').toLowerCase();
}
