import type { Collection, Db } from 'mongodb';

/**
 * Names of all ledger files. Stored in the database and so in every backup, so that a restore can require each file.
 */
export class LedgerFiles {
  readonly #files: Collection<{ _id: string }>;

  constructor(db: Db) {
    this.#files = db.collection('ledger_files');
  }

  register = (name: string): Promise<unknown> => this.#files.replaceOne({ _id: name }, {}, { upsert: true });
}
