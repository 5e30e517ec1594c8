import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON } from 'mongodb';
import type { KeptEntry } from './ledger-entry.ts';

export interface LedgerContent {
  /** In the order in which they were made, of all processes. */
  entries: KeptEntry[];
  /** Names. */
  files: string[];
  /** Files whose last line was cut off: its act was never done. */
  torn: string[];
}

/** Thrown where a line within a file cannot be read: what it said may not be passed over. */
export class BrokenLedgerError extends Error {}

/** Every process's files of a folder; null where there is no such folder. */
export async function readLedger(folder: string): Promise<LedgerContent | null> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (names === null) return null;
  const files = names.filter((name) => name.endsWith('.ndjson')).sort();
  const torn: string[] = [];
  const entries: KeptEntry[] = [];
  for (const name of files) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
    // Whatever follows the last line break was not written to its end.
    if (lines.pop() !== '') torn.push(name);
    for (const [at, line] of lines.entries()) {
      const entry = readLine(line);
      if (entry) entries.push(entry);
      else if (at === lines.length - 1) torn.push(name);
      else throw new BrokenLedgerError(`line ${at + 1} of the ledger's file ${join(folder, name)} cannot be read`);
    }
  }
  // A stable sort: what one process wrote stays in its order.
  entries.sort((one, other) => one.at.getTime() - other.at.getTime());
  return { entries, files, torn };
}

function readLine(line: string): KeptEntry | null {
  try {
    const entry: KeptEntry = BSON.EJSON.parse(line, { relaxed: false });
    return entry.at instanceof Date && typeof entry.kind === 'string' ? entry : null;
  } catch {
    return null;
  }
}
