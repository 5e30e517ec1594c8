import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { Audit } from '../src/audit/audit.ts';
import { connectDatabase, type Database } from '../src/db/database.ts';
import { Ledger } from '../src/ledger/ledger.ts';
import { LedgerFiles } from '../src/ledger/ledger-files.ts';

export const AUDIT_KEY = 'a key of tests that marks the log of acts';

export interface RestoreTarget {
  target: Database;
  ledger: Ledger;
  audit: Audit;
  close(): Promise<void>;
}

/** Opens an empty database to restore into, with a ledger in this folder. Closing drops the database. */
export async function openRestoreTarget(folder: string): Promise<RestoreTarget> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const target = await connectDatabase(process.env['MONGODB_URI'] as string, name);
  const ledger = new Ledger(join(folder, 'ledger'), target.clock, new LedgerFiles(target.db).register);
  const config = { auditKey: AUDIT_KEY, auditDays: 730, dataDir: folder };
  const audit = new Audit({ config, database: target, ledger, log: pino({ level: 'silent' }) });
  return {
    target,
    ledger,
    audit,
    async close() {
      await ledger.close();
      await target.db.dropDatabase();
      await target.close();
    },
  };
}
