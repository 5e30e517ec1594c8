import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary, Decimal128, type Document, Double, Int32, Long, ObjectId, Timestamp } from 'mongodb';
import { type Chunk, readBackupFile } from '../src/backup/backup-file.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { ArchiveState } from '../src/db/archive-state.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import type { KeptEntry, LedgerEntry } from '../src/ledger/ledger-entry.ts';
import { LedgerFiles } from '../src/ledger/ledger-files.ts';
import { fingerprintsOf, type PostDocument } from '../src/posts/post-document.ts';
import { openRestoreTarget, type RestoreTarget } from './_restore-target.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const URI = process.env['MONGODB_URI'] as string;
/** Collections that a backup leaves out. */
const OWN = [
  'archive_state',
  'audit',
  'challenges',
  'index_positions',
  'leases',
  'ledger_files',
  'rate_limits',
  'sessions',
];

describe('backup and restore', () => {
  let folder: string;
  let api: TestApi;
  let source: Database;
  let file: string;
  let restoring: RestoreTarget;
  let target: Database;
  let ledger: Ledger;
  let audit: RestoreTarget['audit'];
  const odd: Document = {
    _id: 'odd',
    long: Long.fromString('9007199254740993'),
    smallLong: Long.fromNumber(5),
    int: new Int32(5),
    wholeDouble: new Double(5),
    minusZero: new Double(-0),
    decimal: Decimal128.fromString('1.10'),
    bytes: new Binary(Buffer.from([0, 255]), 0),
    uuid: new Binary(randomBytes(16), 4),
    stamp: new Timestamp({ t: 1_700_000_000, i: 7 }),
    at: new Date(-1),
    id: new ObjectId(),
    nothing: null,
    pattern: /^a.b$/i,
    nested: [{ empty: {}, list: [] }, 'e\u0301\u{1f600}\0'],
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    api = await startTestApi();
    source = api.context.database;
    await api.add(
      ...Array.from({ length: 2_500 }, (_, at) => newPost({ id: `kept-${at}`, content: `kept ${at} `.repeat(40) })),
    );
    await source.db.collection('oddities').insertOne(odd as Document & { _id: never });
    await source.db.collection('rate_limits').insertOne({ key: 'somebody' });
    await source.db.collection('sessions').insertOne({ walletAddress: 'somebody' });
    file = join(folder, 'whole');
    await writeBackup(source, file);
  });

  beforeEach(async () => {
    restoring = await openRestoreTarget(folder);
    ({ target, ledger, audit } = restoring);
  });

  afterEach(async () => {
    await restoring.close();
  });

  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const restore = (
    entries: LedgerEntry[] = [],
    from = file,
    onProgress?: Parameters<typeof restoreBackup>[3],
    files: string[] = [],
  ) => {
    const kept = entries.map((entry, at): KeptEntry => ({ ...entry, at: new Date(at) }));
    return restoreBackup({ database: target, ledger, audit }, from, { entries: kept, files, torn: [] }, onProgress);
  };

  /** The raw bytes of every document, by collection. */
  async function content({ db }: Database): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      if (OWN.includes(name)) continue;
      const raw = await db.collection(name).find({}, { raw: true }).sort({ _id: 1 }).toArray();
      if (raw.length > 0) found[name] = raw.map((bytes) => Buffer.from(bytes as unknown as Uint8Array).toString('hex'));
    }
    return found;
  }

  async function drain(path: string): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    for await (const chunk of readBackupFile(path)) chunks.push(chunk);
    return chunks;
  }

  it('gives back every document to the byte, under the indexes of the archive', async () => {
    const { manifest } = await restore();
    expect(await content(target)).toEqual(await content(source));
    expect(manifest.collections.find(({ name }) => name === 'posts')?.count).toBe(2_500);
    expect(await target.db.collection('posts').indexExists(['ids', 'fingerprint', 'changed'])).toBe(true);
    expect(await target.db.collection('sessions').countDocuments()).toBe(0);
  });

  it('gives the archive another epoch, and keeps launches and payments closed', async () => {
    const before = await new ArchiveState(source.db).epoch();
    await restore();
    const state = new ArchiveState(target.db);
    expect(await state.epoch()).not.toBe(before);
    expect(await Promise.all([state.isUnsettled('launches'), state.isUnsettled('payments')])).toEqual([true, true]);
    await state.settle('payments');
    expect(await Promise.all([state.isUnsettled('launches'), state.isUnsettled('payments')])).toEqual([true, false]);
  });

  it('asks for every file of the ledger that the backup knows of, but for those of earlier months', async () => {
    const month = source.clock.now().toISOString().slice(0, 7);
    const files = new LedgerFiles(source.db);
    for (const name of ['2025-01-old.ndjson', `${month}-one.ndjson`, `${month}-other.ndjson`])
      await files.register(name);
    const later = join(folder, 'later');
    await writeBackup(source, later);
    await source.db.collection('ledger_files').deleteMany({});
    const restoreWith = (...names: string[]) => restore([], later, undefined, names);
    await expect(restoreWith(`${month}-one.ndjson`)).rejects.toThrow(`lacks ${month}-other.ndjson`);
    expect(await target.db.collection('posts').countDocuments()).toBe(0);
    await restoreWith(`${month}-other.ndjson`, `${month}-one.ndjson`);
    expect(await target.db.collection('posts').countDocuments()).toBe(2_500);
  });

  it('refuses a database in which there is anything', async () => {
    await target.db.collection('posts').insertOne({ some: 'post' });
    await expect(restore()).rejects.toThrow('not empty');
    expect(await target.db.collection('posts').countDocuments()).toBe(1);
  });

  it('refuses a file that was cut off, at whatever place, and writes nothing', async () => {
    const whole = readFileSync(file);
    const torn = join(folder, 'torn');
    for (const length of [0, 5, 30, 1_000, whole.length >> 1, whole.length - 9, whole.length - 1]) {
      writeFileSync(torn, whole.subarray(0, length));
      await expect(restore([], torn)).rejects.toThrow(/no backup|not whole/);
    }
    expect(await target.db.listCollections().toArray()).toEqual([]);
  });

  it('refuses a file in which a byte was changed', async () => {
    const changed = join(folder, 'changed');
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9, 0.999]) {
      const bytes = readFileSync(file);
      const at = Math.floor(bytes.length * share);
      bytes[at] = (bytes[at] as number) ^ 4;
      writeFileSync(changed, bytes);
      await expect(drain(changed)).rejects.toThrow('not whole');
    }
  });

  it('leaves no file where it cannot be written to its end, and overwrites none', async () => {
    await expect(writeBackup(source, file)).rejects.toThrow('already');
    await expect(writeBackup(source, join(folder, 'none', 'backup'))).rejects.toThrow('ENOENT');
    const broken = join(folder, 'broken');
    const stop = () => {
      throw new Error('stopped half-way');
    };
    await expect(writeBackup(source, broken, stop)).rejects.toThrow('half-way');
    expect(readdirSync(folder).filter((name) => name.startsWith('broken'))).toEqual([]);
  });

  it('leaves no file where the disk does not give back what was written', async () => {
    const bad = join(folder, 'bad');
    const overwrite = () => {
      const [part = ''] = readdirSync(folder).filter((name) => name.startsWith('bad.'));
      const disk = openSync(join(folder, part), 'r+');
      writeSync(disk, '?', 0);
      closeSync(disk);
    };
    await expect(writeBackup(source, bad, overwrite)).rejects.toThrow('no backup');
    expect(readdirSync(folder).filter((name) => name.startsWith('bad'))).toEqual([]);
  });

  it('is noticed where it was cut off, and can be done again', async () => {
    const stopAt = (wanted: string) => (progress: { step: string }) => {
      if (progress.step === wanted) throw new Error('cut off');
    };
    for (const step of ['restoring', 'indexing', 'replaying']) {
      await expect(restore([], file, stopAt(step))).rejects.toThrow('cut off');
      await expect(openDatabase(URI, target.db.databaseName)).rejects.toThrow('amber restore');
    }
    await restore();
    await (await openDatabase(URI, target.db.databaseName)).close();
    expect(await content(target)).toEqual(await content(source));
  });

  it('does not let a server start on half of it', async () => {
    await new ArchiveState(target.db).beginRestore(new Date());
    const start = startTestApi({ overrides: { databaseName: target.db.databaseName } });
    await expect(start).rejects.toThrow('half of a restore');
  });

  describe('what the ledger tells', () => {
    const find = (id: string) => target.db.collection('posts').findOne({ ids: id });
    const post = async (id: string) => (await api.context.posts.store.find(id)) as PostDocument;
    const removalOf = ({ _id, ids, fingerprint }: PostDocument): LedgerEntry => ({
      kind: 'removal',
      post: _id,
      ids,
      fingerprint,
      removedAt: new Date(),
    });

    it('keeps removed posts removed, those too that the backup does not have', async () => {
      const gone = { content: 'never seen', author: 'A', authorUsername: 'a', url: 'https://x.com/a/status/1' };
      const unknown = { ...(await post('kept-2')), ...gone, _id: new ObjectId(), ids: ['unknown', 'alias'] };
      const entries = [
        removalOf(await post('kept-1')),
        removalOf({ ...unknown, fingerprint: fingerprintsOf(gone).own }),
      ];
      await restore([...entries, ...entries]);
      for (const id of ['kept-1', 'unknown', 'alias']) {
        expect(Object.keys((await find(id)) ?? {}).sort()).toEqual([
          '_id',
          'changedAt',
          'emptied',
          'fingerprint',
          'ids',
          'removedAt',
        ]);
      }
      const restored = await startTestApi({ overrides: { databaseName: target.db.databaseName } });
      try {
        const sent = newPost({ ...gone, id: 'once-more' });
        await expect(restored.add(sent)).rejects.toThrow('removed');
        await expect(restored.add(newPost({ id: 'alias' }))).rejects.toThrow('removed');
        expect((await fetch(`${restored.url}/amber/archives/kept-1`)).status).toBe(410);
      } finally {
        await restored.close({ keepDatabase: true });
      }
    });

    it('removes a post that is kept under one of its ids, and one of the same text', async () => {
      const [one, other] = [await post('kept-3'), await post('kept-4')];
      const ids = [...one.ids, 'new-alias'];
      await restore([removalOf({ ...other, _id: new ObjectId(), ids })]);
      expect(await Promise.all([...ids, ...other.ids].map(find))).toEqual(
        Array.from({ length: 3 }, () => expect.objectContaining({ removedAt: expect.any(Date) })),
      );
      expect(await target.db.collection('posts').countDocuments({ removedAt: { $exists: true } })).toBe(2);
    });

    it('takes out again what was undone, and lets it be sent again', async () => {
      const { _id } = await post('kept-5');
      const own = _id.toHexString();
      await restore([{ kind: 'removal', post: _id, ids: [own], fingerprint: own, removedAt: new Date() }]);
      expect(await find('kept-5')).toBeNull();
      expect(await target.db.collection('posts').findOne({ _id })).toMatchObject({ ids: [own], fingerprint: own });
    });

    it('keeps opt-outs as they were last', async () => {
      await restore([
        { kind: 'opt-out', handle: 'in' },
        { kind: 'opt-out', handle: 'out' },
        { kind: 'opt-in', handle: 'in' },
      ]);
      const found = await target.db.collection('launch_optouts').find().toArray();
      expect(found.map(({ _id }) => String(_id))).toEqual(['out']);
    });

    it('refuses what it does not understand', async () => {
      await expect(restore([{ kind: 'new' } as never])).rejects.toThrow('does not know');
      await expect(openDatabase(URI, target.db.databaseName)).rejects.toThrow('amber restore');
    });
  });
});
