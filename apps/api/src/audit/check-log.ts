import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { ledgerFolder } from '../ledger/ledger.ts';
import { readLedger } from '../ledger/read-ledger.ts';
import { auditKey } from './audit.ts';
import { AuditStore } from './audit-store.ts';
import { type ChainReport, checkChain, headsOf } from './check-chain.ts';

/** Checks the whole audit log, and compares it with the ledger. */
export async function checkLog(
  { db }: Pick<Database, 'db'>,
  config: Pick<Config, 'auditKey' | 'auditDays' | 'dataDir'>,
): Promise<ChainReport & { heads: number }> {
  // The ledger is read first, since entries recorded later may be missing in the walk.
  const ledger = await readLedger(ledgerFolder(config.dataDir));
  const heads = headsOf(ledger?.entries ?? []);
  const report = await checkChain(new AuditStore(db).walk(), heads, auditKey(config));
  return { ...report, heads: heads.length };
}
