import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../src/db/database.ts';
import { Ledger } from '../src/ledger/ledger.ts';
import { LedgerFiles } from '../src/ledger/ledger-files.ts';

export interface RestoreTarget {
  target: Database;
  ledger: Ledger;
  close(): Promise<void>;
}

/** An empty database to restore into, with a ledger in this folder; closing drops the database. */
export async function openRestoreTarget(folder: string): Promise<RestoreTarget> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const target = await connectDatabase(process.env['MONGODB_URI'] as string, name);
  const ledger = new Ledger(join(folder, 'ledger'), target.clock, new LedgerFiles(target.db).register);
  return {
    target,
    ledger,
    async close() {
      await ledger.close();
      await target.db.dropDatabase();
      await target.close();
    },
  };
}
