import { auditKey } from '../audit/audit.ts';
import { AuditStore } from '../audit/audit-store.ts';
import { checkChain, headsOf } from '../audit/check-chain.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { ledgerFolder } from '../ledger/ledger.ts';
import { readLedger } from '../ledger/read-ledger.ts';

/** Goes through the log of acts, and tells what was altered, cut out or put there by hand; false where something was. */
export async function checkLog({ db }: Database, config: Config): Promise<boolean> {
  // The ledger first: what is told to it meanwhile would not be in what is gone through.
  const ledger = await readLedger(ledgerFolder(config.dataDir));
  const heads = headsOf(ledger?.entries ?? []);
  const { entries, faults } = await checkChain(new AuditStore(db).walk(), heads, auditKey(config));
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
  const outcome = faults.length === 0 ? 'the chain holds' : `${faults.length} faults`;
  process.stdout.write(
    `${entries.toLocaleString('en-US')} entries of the log of acts, and ${heads.length.toLocaleString('en-US')} marks of it in the ledger: ${outcome}\n`,
  );
  return faults.length === 0;
}
