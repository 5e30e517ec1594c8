import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON } from 'mongodb';
import type { KeptEntry } from './ledger-entry.ts';

export interface LedgerContent {
  /** Entries of all processes, in order of time. */
  entries: KeptEntry[];
  /** File names. */
  files: string[];
  /** Files with a torn last line, whose act was never done. */
  torn: string[];
}

/** Thrown if a line within a file cannot be read, since it must not be skipped. */
export class BrokenLedgerError extends Error {}

/** Reads all processes' files in a folder; null if the folder does not exist. */
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
    // Text after the last line break was not written completely.
    if (lines.pop() !== '') torn.push(name);
    for (const [at, line] of lines.entries()) {
      const entry = readLine(line);
      if (entry) entries.push(entry);
      else if (at === lines.length - 1) torn.push(name);
      else throw new BrokenLedgerError(`line ${at + 1} of the ledger's file ${join(folder, name)} cannot be read`);
    }
  }
  // A stable sort keeps the order of each process's entries.
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
