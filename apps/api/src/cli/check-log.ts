import { checkLog } from '../audit/check-log.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';

/** Reports entries of the audit log that were altered, removed or inserted by hand. Returns false if there are any. */
export async function showLogCheck(database: Database, config: Config): Promise<boolean> {
  const { entries, heads, faults } = await checkLog(database, config);
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
  const held = heads === 0 && entries > 0 ? 'no mark here to compare it with' : 'the chain holds';
  const outcome = faults.length === 0 ? held : `${faults.length} faults`;
  process.stdout.write(
    `${entries.toLocaleString('en-US')} entries of the log of acts, and ${heads.toLocaleString('en-US')} marks of it in the ledger: ${outcome}\n`,
  );
  return faults.length === 0;
}
