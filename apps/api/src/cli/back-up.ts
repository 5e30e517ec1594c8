import { spawn } from 'node:child_process';
import { writeBackup } from '../backup/write-backup.ts';
import { ArchiveState } from '../db/archive-state.ts';
import type { Database } from '../db/database.ts';
import { progressLine } from './progress-line.ts';

export interface BackUpOptions {
  copy?: string;
}

export async function backUp(database: Database, file: string, { copy }: BackUpOptions = {}): Promise<boolean> {
  const line = progressLine(process.stderr);
  const { collections, isSnapshot } = await writeBackup(database, file, ({ done, total }) =>
    line.show(done / Math.max(1, total), `${number(done)} documents`),
  ).finally(() => line.end());
  const count = collections.reduce((sum, one) => sum + one.count, 0);
  const posts = collections.find(({ name }) => name === 'posts')?.count ?? 0;
  const moment = isSnapshot ? 'of one moment' : 'collection after collection';
  process.stdout.write(`${number(count)} documents, ${number(posts)} of them posts, are in ${file} (${moment}).\n`);
  if (copy && !(await isDone(copy))) {
    process.stderr.write(`The backup does not count, since this failed: ${copy}\n`);
    return false;
  }
  await new ArchiveState(database.db).noteBackup(database.clock.now());
  return true;
}

function isDone(command: string): Promise<boolean> {
  const shell = spawn(command, { shell: true, stdio: 'inherit' });
  return new Promise((resolve, reject) => shell.once('error', reject).once('exit', (code) => resolve(code === 0)));
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
