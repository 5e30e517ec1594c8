import type { Collection, Db } from 'mongodb';
import { PROMPT } from '../db/database.ts';

export interface OperatorDocument {
  /** A wallet's address. */
  _id: string;
  role: 'moderator';
  /** A wallet's address, or `command line`. */
  madeBy: string;
  createdAt: Date;
}

/** Moderators. Admins are only in the settings. */
export class OperatorStore {
  readonly #operators: Collection<OperatorDocument>;

  constructor(db: Db) {
    this.#operators = db.collection<OperatorDocument>('operators');
  }

  find(wallet: string): Promise<OperatorDocument | null> {
    return this.#operators.findOne({ _id: wallet }, PROMPT);
  }

  list(): Promise<OperatorDocument[]> {
    return this.#operators.find().sort({ createdAt: 1, _id: 1 }).toArray();
  }

  /** The moderator, created now or before. */
  async make(wallet: string, madeBy: string): Promise<OperatorDocument> {
    const fields = { role: 'moderator', madeBy: { $literal: madeBy }, createdAt: '$$NOW' };
    const whole = { $replaceWith: { $cond: ['$role', '$$ROOT', { $mergeObjects: ['$$ROOT', fields] }] } };
    const made = await this.#operators.findOneAndUpdate({ _id: wallet }, [whole], {
      upsert: true,
      returnDocument: 'after',
    });
    return made as OperatorDocument;
  }

  /** Ends a moderator's role; with `until`, only one who was appointed by then. */
  async drop(wallet: string, until?: Date): Promise<void> {
    await this.#operators.deleteOne({ _id: wallet, ...(until && { createdAt: { $lte: until } }) });
  }
}
