import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { AppError } from '../src/app-error.ts';
import { Audit } from '../src/audit/audit.ts';
import { type Act, type AuditEntry, sealEntry } from '../src/audit/audit-entry.ts';
import { checkChain, headsOf } from '../src/audit/check-chain.ts';
import { connectDatabase, type Database } from '../src/db/database.ts';
import { ensureIndexes } from '../src/db/indexes.ts';
import { Ledger } from '../src/ledger/ledger.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';

const KEY = 'the key that marks the log of acts in this test';
const DAY_MS = 86_400_000;
const log = pino({ level: 'silent' });

function act(id: number | string, more: Partial<Act> = {}): Act {
  return { actor: { kind: 'system' }, act: 'test', subject: { kind: 'post', id: String(id) }, ...more };
}

describe('the log of acts', () => {
  let folder: string;
  let name: string;
  let database: Database;
  let ledger: Ledger;
  let audit: Audit;
  const opened: Audit[] = [];

  const open = (on = database, days = 730) => {
    const config = { auditKey: KEY, auditDays: days, dataDir: folder };
    const made = new Audit({ config, database: on, ledger, log });
    opened.push(made);
    return made;
  };
  const entries = () => database.db.collection<AuditEntry>('audit');
  const heads = async () => headsOf((await readLedger(folder))?.entries ?? []);
  const faults = async () => (await checkChain(audit.store.walk(), await heads(), KEY)).faults;
  const fill = async (count: number) => {
    for (let at = 1; at <= count; at++) await audit.record(act(at, { reason: `no ${at}` }));
    await audit.tellHead();
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'));
  });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'));
    name = `test_${randomBytes(6).toString('hex')}`;
    database = await connectDatabase(process.env['MONGODB_URI'] as string, name);
    await ensureIndexes(database.db);
    ledger = new Ledger(folder, database.clock, () => Promise.resolve());
    audit = open();
  });

  afterEach(async () => {
    for (const one of opened.splice(0)) await one.stop();
    await ledger.close();
    await database.db.dropDatabase();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is one chain, which the ledger knows the end of', async () => {
    await fill(5);
    expect((await entries().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([1, 2, 3, 4, 5]);
    expect(await heads()).toHaveLength(1);
    await audit.tellHead();
    expect(await heads()).toHaveLength(1);
    expect(await faults()).toEqual([]);
  });

  const attacks: [string, () => Promise<unknown>, RegExp][] = [
    ['a reason altered', () => entries().updateOne({ _id: 3 }, { $set: { reason: 'another' } }), /entry 3 was altered/],
    ['a field added', () => entries().updateOne({ _id: 3 }, { $set: { 'subject.more': 1 } }), /entry 3 was altered/],
    ['a time altered', () => entries().updateOne({ _id: 1 }, { $set: { at: new Date(0) } }), /entry 1 was altered/],
    [
      'a time made text',
      async () =>
        entries().updateOne({ _id: 3 }, [
          { $set: { at: { $dateToString: { date: '$at', format: '%Y-%m-%dT%H:%M:%S.%LZ' } } } },
        ]),
      /entry 3 was altered/,
    ],
    ['one cut out', () => entries().deleteOne({ _id: 3 }), /between entries 2 and 4 something was cut out/],
    ['the first cut out', () => entries().deleteOne({ _id: 1 }), /between entries 0 and 2 something was cut out/],
    [
      'the end cut off',
      () => entries().deleteMany({ _id: { $gte: 4 } }),
      /entry 5, which the ledger tells of, is not there/,
    ],
    ['all of it taken', () => entries().deleteMany({}), /entry 5, which the ledger tells of, is not there/],
    [
      'one appended by hand',
      () => entries().insertOne({ ...sealEntry(act('forged'), 6, new Date(), '', 'another key') }),
      /entry 6 was altered, or put there by hand/,
    ],
    [
      'a real one copied to the end',
      async () => entries().insertOne({ ...((await entries().findOne({ _id: 2 })) as AuditEntry), _id: 6 }),
      /entry 6 was altered, or put there by hand/,
    ],
    [
      'a made-up expiry that explains a cut',
      async () => {
        await entries().deleteMany({ _id: { $lte: 3 } });
        const forged = act('audit', { act: 'expire', after: { seq: 3, mark: 'x' } });
        await entries().insertOne(sealEntry(forged, 6, new Date(), '', 'another key'));
      },
      /between entries 0 and 4 something was cut out/,
    ],
  ];

  it.each(attacks)('shows %s', async (_what, attack, fault) => {
    await fill(5);
    await attack();
    expect((await faults()).join('\n')).toMatch(fault);
  });

  it('shows the end cut off also where it was written anew since', async () => {
    await fill(5);
    await entries().deleteMany({ _id: { $gte: 4 } });
    const other = open();
    await other.record(act('instead'));
    await other.record(act('instead'));
    expect((await faults()).join('\n')).toMatch(/entry 5 is another than the ledger tells of/);
  });

  it('stays one chain where two processes write a hundred entries each at once', async () => {
    const second = await connectDatabase(process.env['MONGODB_URI'] as string, name);
    try {
      const other = open(second);
      const all = Array.from({ length: 100 }, (_, at) => [audit.record(act(`a${at}`)), other.record(act(`b${at}`))]);
      const kept = await Promise.all(all.flat());
      expect(new Set(kept.map(({ _id }) => _id)).size).toBe(200);
      // Also alternately, so that each process writes first at times.
      for (let at = 0; at < 20; at++) await (at % 2 ? audit : other).record(act(`c${at}`));
      await Promise.all([audit.tellHead(), other.tellHead()]);
      expect(await checkChain(audit.store.walk(), await heads(), KEY)).toEqual({ entries: 220, faults: [] });
      await other.stop();
    } finally {
      await second.close();
    }
  });

  it('does not do what it cannot record, and says so when what it recorded was not done', async () => {
    let isDone = false;
    const broken = open();
    broken.store.append = () => Promise.reject(new Error('the disk is full'));
    const trying = broken.perform(act('kept'), async () => {
      isDone = true;
    });
    await expect(trying).rejects.toMatchObject({ code: 'audit_unavailable' });
    expect(isDone).toBe(false);
    const failing = () => Promise.reject(new AppError('post_not_found', 'There is no such post.'));
    await expect(audit.perform(act('kept'), failing)).rejects.toMatchObject({ code: 'post_not_found' });
    await audit.record(act('next'));
    expect((await entries().findOne({ _id: 2 }))?.after).toEqual({ notDone: 1, code: 'post_not_found' });
  });

  it('lets go of what is old, and goes on being one chain', async () => {
    await fill(6);
    const old = (await entries().find().sort({ _id: 1 }).limit(4).toArray()).map(({ _id }) => _id);
    // Seals the entries again with earlier times, under the test's own key.
    let previous = '';
    for (const { mark: _, previous: __, _id, at, ...rest } of await entries().find().sort({ _id: 1 }).toArray()) {
      const then = old.includes(_id) ? new Date(at.getTime() - 3 * DAY_MS) : at;
      const sealed = sealEntry(rest, _id, then, previous, KEY);
      await entries().replaceOne({ _id }, sealed);
      previous = sealed.mark;
    }
    const brief = open(database, 2);
    await brief.expire();
    expect((await entries().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([5, 6, 7]);
    const check = async () => (await checkChain(audit.store.walk(), [], KEY)).faults;
    expect(await check()).toEqual([]);
    await brief.expire();
    expect(await entries().countDocuments()).toBe(3);
    await entries().deleteOne({ _id: 5 });
    expect(await check()).toEqual([expect.stringMatching(/between entries 0 and 6 something was cut out/)]);
  });

  it('goes on after a restore from the backup’s end, and gives the places of what is lost to nothing else', async () => {
    await fill(3);
    const backup = await entries().find().toArray();
    await fill(4);
    await entries().deleteMany({});
    await entries().insertMany(backup);
    const restored = open();
    const [last] = (await heads()).toSorted((one, other) => other.seq - one.seq);
    await restored.linkRestore(last ?? null);
    await restored.record(act('after'));
    expect((await entries().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([1, 2, 3, 8, 9]);
    expect(await faults()).toEqual([]);
    await entries().deleteOne({ _id: 2 });
    expect(await faults()).toEqual([expect.stringMatching(/between entries 1 and 3/)]);
  });

  it('tells what is counted once its time is over, once', async () => {
    const counted = {
      actor: { kind: 'system' },
      act: 'refuse identity',
      subject: { kind: 'network', id: 'x' },
    } as const;
    const from = new Date(Date.UTC(2026, 0, 1));
    await audit.store.addCounts([
      { ...counted, _id: 'one', from, endsAt: new Date(from.getTime() + 3_600_000), count: 2 },
    ]);
    await audit.store.addCounts([
      { ...counted, _id: 'one', from, endsAt: new Date(from.getTime() + 3_600_000), count: 3 },
    ]);
    await audit.tellEnded();
    await audit.tellEnded();
    const told = await entries().find({ act: 'refuse identity' }).toArray();
    expect(told.map(({ after }) => after)).toEqual([
      { from: '2026-01-01T00:00:00.000Z', until: '2026-01-01T01:00:00.000Z', count: 5 },
    ]);
    expect(await database.db.collection('audit_counts').countDocuments()).toBe(0);
  });

  it('finds by who, what, when and words, which are taken as they are', async () => {
    await audit.record(act('p1', { actor: { kind: 'wallet', id: 'W' }, reason: 'spam (a lot)' }));
    await audit.record(act('p2', { act: 'hide' }));
    const ids = async (filter: object) => (await audit.store.list(filter, 10)).map(({ subject }) => subject.id);
    expect(await ids({})).toEqual(['p2', 'p1']);
    expect(await ids({ actor: 'W' })).toEqual(['p1']);
    expect(await ids({ act: 'hide' })).toEqual(['p2']);
    expect(await ids({ subject: 'post', words: 'SPAM (A' })).toEqual(['p1']);
    expect(await ids({ words: '.*' })).toEqual([]);
    expect(await ids({ until: new Date(0) })).toEqual([]);
    expect(await ids({ since: new Date(0) })).toEqual(['p2', 'p1']);
  });
});
