import type { Audit } from '../audit/audit.ts';
import { type RestoreProgress, restoreBackup } from '../backup/restore-backup.ts';
import { ConfigError } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { readLedger } from '../ledger/read-ledger.ts';
import { progressLine } from './progress-line.ts';

const NO_ENTRIES = { entries: [], files: [], torn: [] };

/** Restores a backup and the ledger into an empty database. */
export async function restore(
  context: { database: Database; ledger: LedgerWriter; audit: Audit },
  file: string,
  options: { ledgerFolder: string; withoutLedger?: boolean },
): Promise<boolean> {
  const found = await readLedger(options.ledgerFolder);
  const kept = found && found.files.length > 0 ? found : options.withoutLedger ? NO_ENTRIES : null;
  if (!kept) {
    throw new ConfigError(
      `There is no ledger at ${options.ledgerFolder}, so what was removed since the backup would come back: put the files of every process there, or say --without-ledger.`,
    );
  }
  const line = progressLine(process.stderr);
  const { manifest, replaced, replayed, unheld } = await restoreBackup(
    context,
    file,
    { ...kept, mayLack: options.withoutLedger === true },
    (progress) => line.show(progress.done / Math.max(1, progress.total), describe(progress)),
  ).finally(() => line.end());
  for (const name of kept.torn) {
    process.stdout.write(`The last line of the ledger's file ${name} was cut off: its act was never done.\n`);
  }
  for (const { name, count } of manifest.collections) process.stdout.write(`${number(count).padStart(12)}  ${name}\n`);
  for (const [name, count] of Object.entries(replaced)) {
    process.stdout.write(
      `${number(count)} of ${name} had been replaced while the backup was made: the newer ones stay.\n`,
    );
  }
  for (const line of unheld) process.stdout.write(`${line}\n`);
  const acts = Object.entries(replayed).map(([kind, count]) => `${kind} ${number(count)}`);
  process.stdout.write(
    `The backup of ${manifest.createdAt.toISOString()} is restored; from ${number(kept.files.length)} files of the ledger: ${acts.join(', ') || 'nothing'}.\nEverybody signs in again. Launches and payments open once a server has compared them with the chain.\n`,
  );
  return true;
}

function describe({ step, done, total }: RestoreProgress): string {
  if (step === 'checking') return `checking the file: ${number(Math.floor(done / 1_000_000))} MB`;
  if (step === 'indexing') return 'making the indexes of the database';
  if (step === 'replaying') return `replaying the ledger: ${number(total)} entries`;
  return `${number(done)} documents restored`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
