import { access } from 'node:fs/promises';
import type { Db, FindOptions } from 'mongodb';
import { ArchiveState } from '../db/archive-state.ts';
import type { Database } from '../db/database.ts';
import { type BackedUpCollection, type Manifest, writeBackupFile } from './backup-file.ts';

/**
 * Data of use only to running processes. After a restore, users sign in again, the archive has a new mark, and browsers
 * subscribe again, since a browser may have signed out since the backup.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'archive_state',
  'browsers',
  'challenges',
  'index_positions',
  'leases',
  'pushes',
  'rate_limits',
  'sessions',
]);

/**
 * Without a snapshot, each collection is of a later moment than the previous one. Here a record that says that an act
 * is done comes before the document that the act changes (a payment before the post that it features, a reaction before
 * its post). So a copy may lack the last acts, but never marks an act as done whose effect it lacks.
 */
const LAST = [
  'imports',
  'payment_watches',
  'payment_reports',
  'payments',
  'credit_uses',
  'launch_counts',
  'launches',
  'reactions',
  'posts',
  'ledger_files',
];

export interface BackupProgress {
  /** In documents. */
  done: number;
  total: number;
}

export class FileExistsError extends Error {}

/**
 * Writes a consistent copy of all collections to a new file: of one moment on a replica set, else one collection after
 * the other.
 */
export async function writeBackup(
  database: Database,
  file: string,
  onProgress: (progress: BackupProgress) => void = () => {},
): Promise<Manifest> {
  if (await exists(file)) throw new FileExistsError(`${file} is there already: name another file, or move it away.`);
  const { client, db, clock, isReplicaSet } = database;
  const names = await collectionNames(db);
  const counts = await Promise.all(names.map((name) => db.collection(name).estimatedDocumentCount()));
  const progress = { done: 0, total: counts.reduce((sum, count) => sum + count, 0) };
  const session = isReplicaSet ? client.startSession({ snapshot: true }) : undefined;
  // The session's read concern would otherwise be replaced by the client's.
  const options: FindOptions = session ? { session, readConcern: { level: 'snapshot' } } : {};
  const collections = names.map((name): BackedUpCollection => ({ name, documents: read(name) }));
  async function* read(name: string): AsyncGenerator<Uint8Array> {
    // Read by `_id`, so that each document is read once even if it moves. Read as raw bytes, so that every type stays.
    const found = db.collection(name).find({}, { ...options, raw: true, hint: { _id: 1 }, batchSize: 5_000 });
    for await (const document of found.sort({ _id: 1 })) {
      yield document as unknown as Uint8Array;
      if (++progress.done % 1_000 === 0) onProgress(progress);
    }
  }
  try {
    const epoch = await new ArchiveState(db).epoch();
    return await writeBackupFile(file, { createdAt: clock.now(), epoch, isSnapshot: isReplicaSet }, collections);
  } finally {
    await session?.endSession();
  }
}

async function collectionNames(db: Db): Promise<string[]> {
  const all = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  const rank = (name: string) => LAST.indexOf(name);
  return all
    .map(({ name }) => name)
    .filter((name) => !LEFT_OUT.has(name) && !name.startsWith('system.'))
    .sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
