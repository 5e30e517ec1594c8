import { setTimeout as delay } from 'node:timers/promises';
import { BSON, type Db, type Document } from 'mongodb';
import type { Audit } from '../audit/audit.ts';
import type { AuditHead } from '../audit/audit-entry.ts';
import { headsOf } from '../audit/check-chain.ts';
import { Lease } from '../background/lease.ts';
import { ArchiveState } from '../db/archive-state.ts';
import { type Database, isDuplicateKey } from '../db/database.ts';
import { ensureIndexes } from '../db/indexes.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import type { LedgerContent } from '../ledger/read-ledger.ts';
import { RestoredPostStore } from '../posts/restored-post-store.ts';
import { type Manifest, readBackupFile, splitDocuments } from './backup-file.ts';
import { type Dropped, dropReplaced } from './drop-replaced.ts';
import { type Replayed, replayLedger } from './replay-ledger.ts';

/** Collections that the restore itself uses. */
const OWN: ReadonlySet<string> = new Set(['archive_state', 'leases']);
/** Parallel writes; the next batch is prepared meanwhile. */
const WRITES_AT_ONCE = 3;
/**
 * Without journal, for speed. The counts at the end reveal documents lost in a crash, and the restore is then repeated.
 */
const FAST = { writeConcern: { w: 1, journal: false } } as const;
/** Restores each value with its exact BSON type. */
const EXACTLY = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;
const RENEW_LEASE_MS = 4_000;
/** A killed restore holds its lease for a while. */
const AWAIT_LEASE_MS = 20_000;

export class RestoreRefusedError extends Error {}

export interface RestoreProgress {
  step: 'checking' | 'restoring' | 'indexing' | 'replaying';
  /** In documents. */
  done: number;
  total: number;
}

export interface Restored extends Pick<Replayed, 'unheld'> {
  manifest: Manifest;
  replaced: Dropped;
  replayed: Replayed['counts'];
}

/**
 * Restores a backup into an empty database and then replays later acts from the ledger. Nothing is written before every
 * hash in the file is verified, and no server starts on the database before the restore is complete. An interrupted
 * restore can be repeated.
 */
export async function restoreBackup(
  context: { database: Database; ledger: LedgerWriter; audit: Pick<Audit, 'linkRestore'> },
  file: string,
  kept: LedgerContent & { mayLack?: boolean },
  onProgress: (progress: RestoreProgress) => void = () => {},
): Promise<Restored> {
  const { database } = context;
  const { db, clock } = database;
  const state = new ArchiveState(db);
  await requireEmpty(db, state);
  const { manifest, ledgerFiles } = await check(file, onProgress);
  if (!kept.mayLack) requireLedger(kept, ledgerFiles, manifest);
  const lease = await LeaseKeeper.take(database);
  try {
    await requireEmpty(db, state);
    await state.beginRestore(clock.now());
    await clear(db);
    await insertAll(db, file, manifest, (progress) => {
      lease.require();
      onProgress(progress);
    });
    // On a replica set, this write waits for a majority, which then also has all earlier inserts.
    await state.beginRestore(clock.now());
    await requireCounts(db, manifest);
    const total = manifest.collections.reduce((sum, { count }) => sum + count, 0);
    onProgress({ step: 'indexing', done: total, total });
    const replaced = await makeIndexes(database);
    onProgress({ step: 'replaying', done: 0, total: kept.entries.length });
    const { counts, unheld, decided } = await replayLedger(context, kept.entries);
    if (!kept.mayLack) requireHeld(unheld);
    lease.require();
    for (const entry of decided) await context.ledger.record(entry);
    const restored = new RestoredPostStore(db);
    await restored.lookAtAll();
    await restored.emptyAll();
    await context.audit.linkRestore(furthest(headsOf(kept.entries)));
    await state.finishRestore();
    return { manifest, replaced, replayed: counts, unheld };
  } finally {
    await lease.end();
  }
}

function furthest(heads: readonly AuditHead[]): AuditHead | null {
  return heads.reduce<AuditHead | null>((most, head) => (most && most.seq >= head.seq ? most : head), null);
}

async function requireEmpty(db: Db, state: ArchiveState): Promise<void> {
  if (await state.isRestoring()) return;
  for (const name of await names(db)) {
    if ((await db.collection(name).findOne({}, { projection: { _id: 1 } })) === null) continue;
    throw new RestoreRefusedError(
      `The database is not empty (it has ${name}): stop every server, and name an empty database or move this one away.`,
    );
  }
}

/** Deletes what an interrupted restore has left. */
async function clear(db: Db): Promise<void> {
  for (const name of await names(db)) if (!OWN.has(name)) await db.collection(name).drop();
}

async function names(db: Db): Promise<string[]> {
  const all = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return all.map(({ name }) => name).filter((name) => !name.startsWith('system.') && name !== 'leases');
}

/** Verifies every byte of a backup and returns the ledger files that it names. */
async function check(file: string, onProgress: (progress: RestoreProgress) => void) {
  const reading = readBackupFile(file);
  const ledgerFiles: string[] = [];
  for (let bytes = 0; ; ) {
    const next = await reading.next();
    if (next.done) return { manifest: next.value, ledgerFiles };
    const { collection, documents } = next.value;
    bytes += documents.length;
    if (collection === 'ledger_files') {
      for (const document of splitDocuments(documents)) ledgerFiles.push(BSON.deserialize(document)['_id']);
    }
    onProgress({ step: 'checking', done: bytes, total: 0 });
  }
}

/** Requires the ledger files of the backup's month and later. Older files are fully contained in the backup. */
function requireLedger(kept: LedgerContent, known: string[], { createdAt }: Manifest): void {
  const month = createdAt.toISOString().slice(0, 7);
  const missing = known.filter((name) => name.slice(0, 7) >= month && !kept.files.includes(name));
  if (missing.length === 0) return;
  throw new RestoreRefusedError(
    `The ledger lacks ${missing.join(', ')}, and what stands there would come back or be lost: put the files of every process and machine together, or say --without-ledger.`,
  );
}

async function insertAll(
  db: Db,
  file: string,
  { collections }: Manifest,
  onProgress: (progress: RestoreProgress) => void,
): Promise<void> {
  const total = collections.reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  const writing = new Set<Promise<void>>();
  const reading = readBackupFile(file);
  try {
    for (;;) {
      const next = await reading.next();
      // The second pass verifies the file again, so it throws if the file was exchanged meanwhile.
      if (next.done) break;
      const { collection, documents } = next.value;
      const batch: Document[] = [];
      for (const bytes of splitDocuments(documents)) batch.push(BSON.deserialize(bytes, EXACTLY));
      if (writing.size >= WRITES_AT_ONCE) await Promise.race(writing);
      const write: Promise<void> = db
        .collection(collection)
        .insertMany(batch, { ordered: false, ...FAST })
        .then(() => {
          writing.delete(write);
          done += batch.length;
          onProgress({ step: 'restoring', done, total });
        });
      writing.add(write);
      // A rejection surfaces at the next race; until then it must not count as unhandled.
      write.catch(() => {});
    }
    await Promise.all(writing);
  } finally {
    await Promise.allSettled(writing);
  }
}

async function requireCounts(db: Db, { collections }: Manifest): Promise<void> {
  for (const { name, count } of collections) {
    const there = await db.collection(name).countDocuments({}, { hint: { _id: 1 } });
    if (there !== count) throw new Error(`${there} of ${count} documents of ${name} came to be there: restore again.`);
  }
}

/** A search for replaced documents takes as long as the indexes, so it runs only if an index cannot be created. */
async function makeIndexes({ db, clock }: Database): Promise<Dropped> {
  try {
    await ensureIndexes(db);
    return {};
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const replaced = await dropReplaced(db, clock.now());
  await ensureIndexes(db);
  return replaced;
}

function requireHeld(unheld: readonly string[]): void {
  if (unheld.length === 0) return;
  throw new RestoreRefusedError(
    `${unheld.join('\n')}\nA file of the ledger is missing, or nothing was sent: put the files of every process and machine together, or say --without-ledger.`,
  );
}

/** Holds the lease of the restore as long as the process lives. */
class LeaseKeeper {
  readonly #lease: Lease;
  readonly #timer: NodeJS.Timeout;
  #isLost = false;

  private constructor(lease: Lease) {
    this.#lease = lease;
    this.#timer = setInterval(() => {
      lease.take().then(
        (isOurs) => {
          if (!isOurs) this.#isLost = true;
        },
        () => {},
      );
    }, RENEW_LEASE_MS);
  }

  static async take(database: Database): Promise<LeaseKeeper> {
    const lease = new Lease(database.db, 'restore');
    for (const deadline = performance.now() + AWAIT_LEASE_MS; ; await delay(500)) {
      if (await lease.take()) return new LeaseKeeper(lease);
      if (performance.now() > deadline)
        throw new RestoreRefusedError('Another restore into this database is under way.');
    }
  }

  require(): void {
    if (this.#isLost) throw new RestoreRefusedError('Another restore into this database has begun.');
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lease.end();
  }
}
