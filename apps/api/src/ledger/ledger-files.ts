import type { Collection, Db } from 'mongodb';

/** Names of all files of the ledger, kept in the database and so in every backup: a restore asks for each of them. */
export class LedgerFiles {
  readonly #files: Collection<{ _id: string }>;

  constructor(db: Db) {
    this.#files = db.collection('ledger_files');
  }

  register = (name: string): Promise<unknown> => this.#files.replaceOne({ _id: name }, {}, { upsert: true });
}
