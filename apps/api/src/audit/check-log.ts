import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { ledgerFolder } from '../ledger/ledger.ts';
import { readLedger } from '../ledger/read-ledger.ts';
import { auditKey } from './audit.ts';
import { AuditStore } from './audit-store.ts';
import { type ChainReport, checkChain, headsOf } from './check-chain.ts';

/** Goes through the whole log of acts, and compares it with what the ledger tells of it. */
export async function checkLog(
  { db }: Pick<Database, 'db'>,
  config: Pick<Config, 'auditKey' | 'auditDays' | 'dataDir'>,
): Promise<ChainReport & { heads: number }> {
  // The ledger first: what is told to it meanwhile would not be in what is gone through.
  const ledger = await readLedger(ledgerFolder(config.dataDir));
  const heads = headsOf(ledger?.entries ?? []);
  const report = await checkChain(new AuditStore(db).walk(), heads, auditKey(config));
  return { ...report, heads: heads.length };
}
