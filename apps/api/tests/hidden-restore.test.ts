import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPicture } from '@archive/testing/media';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import { Audit } from '../src/audit/audit.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { hide, unhide } from '../src/cli/reports.ts';
import { connectDatabase, type Database } from '../src/db/database.ts';
import { Ledger, ledgerFolder } from '../src/ledger/ledger.ts';
import { LedgerFiles } from '../src/ledger/ledger-files.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { MediaStore } from '../src/media/media-store.ts';
import { PostChanges } from '../src/posts/post-changes.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { PostStore } from '../src/posts/post-store.ts';
import { SealedPostStore } from '../src/posts/sealed-post-store.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const URI = process.env['MONGODB_URI'] as string;
let folder: string;
let api: TestApi;
let target: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hidden-'));
  api = await startTestApi();
  target = await connectDatabase(URI, `test_${randomBytes(6).toString('hex')}`);
});

afterAll(async () => {
  await target.db.dropDatabase();
  await target.close();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Restores a backup together with all entries of the archive's ledger. */
async function restore(file: string): Promise<void> {
  const told = await readLedger(ledgerFolder(api.context.config.dataDir));
  const ledger = new Ledger(join(folder, 'ledger'), target.clock, new LedgerFiles(target.db).register);
  try {
    const config = { ...api.context.config, dataDir: folder };
    const audit = new Audit({ config, database: target, ledger, log: api.context.log });
    const kept = { entries: told?.entries ?? [], files: told?.files ?? [], torn: [], mayLack: false };
    await restoreBackup({ database: target, ledger, audit }, file, kept);
  } finally {
    await ledger.close();
  }
}

it('keeps hidden what was hidden, shown what was shown again, and removed what was removed, after a restore', async () => {
  const { posts, database, ledger, audit, config } = api.context;
  const command = { config, database, ledger, audit };
  const made = new Map<string, ObjectId>();
  const add = async (name: string) => {
    const post = newPost({ id: name, content: `the words of ${name}` });
    await api.add(post);
    made.set(name, ((await posts.store.find(name)) as PostDocument)._id);
  };
  for (const name of ['hidden', 'shown-again', 'hidden-then-removed']) await add(name);
  for (const name of ['removed-since', 'shown-since', 'law-since']) {
    await add(name);
    expect(await hide(command, name, { reason: 'a test' })).toBe(true);
  }
  // After the backup, authors delete some posts and restore one that was deleted before it.
  for (const name of ['deleted-since', 'away-and-back', 'back-since', 'still-there']) await add(name);
  const soon = database.clock.now();
  const seal = async (name: string) =>
    expect(await posts.sealed.seal((await posts.store.find(name)) as PostDocument, 'bluesky', 'deleted', soon)).toBe(
      true,
    );
  const bring = (name: string) => posts.sealed.unseal(made.get(name) as ObjectId, soon);
  await database.db.collection('posts').updateMany({ ids: 'still-there' }, { $set: { isFromPlatform: true } });
  await seal('back-since');
  // The payment was applied, but the backup precedes its mark. It must not become a credit as well.
  const payment = {
    _id: 'paid',
    state: 'confirmed' as const,
    payer: 'somebody',
    mint: 'a token',
    baseUnits: '1000000',
    post: made.get('hidden') as ObjectId,
    reason: null,
    slot: 1,
    blockTime: new Date(0),
    finalizedAt: null,
    missingSince: null,
    use: null,
    usedOn: null,
    createdAt: new Date(0),
  };
  await api.context.featuring.payments.payments.insertOne(payment);
  await posts.store.featureForPayment(payment.post, { by: payment._id, payee: 'somebody' });
  const whole = (await posts.store.find('hidden')) as PostDocument;
  const pictureOf = async (name: string) => {
    const kept = await api.context.media.keep(await aPicture(), { post: (made.get(name) as ObjectId).toHexString() });
    return 'sha256' in kept ? kept.sha256 : '';
  };
  const pictures = { hidden: await pictureOf('hidden'), deleted: await pictureOf('deleted-since') };
  const file = join(folder, 'backup');
  await writeBackup(database, file);

  await seal('deleted-since');
  await seal('away-and-back');
  await bring('away-and-back');
  await bring('back-since');
  expect(await hide(command, 'hidden', { law: true })).toBe(true);
  await hide(command, 'shown-again', {});
  expect(await unhide(command, 'shown-again', {})).toBe(true);
  await hide(command, 'hidden-then-removed', {});
  for (const name of ['hidden-then-removed', 'removed-since']) {
    await posts.sealed.remove((await posts.sealed.find(made.get(name) as ObjectId)) as PostDocument);
  }
  await unhide(command, 'shown-since', {});
  await hide(command, 'law-since', { law: true });
  await add('new-and-hidden');
  await hide(command, 'new-and-hidden', {});
  expect(await hide(command, 'nobody', {})).toBe(false);

  await restore(file);
  const store = new PostStore(target.db, target.clock);
  const told = async (name: string) => {
    const { sealed, hiddenFor, content, removedAt } = (await store.find(name)) as PostDocument & {
      sealed?: string;
      hiddenFor?: string;
      removedAt?: Date;
    };
    return content ?? [sealed, hiddenFor, removedAt !== undefined];
  };
  expect(await told('hidden')).toEqual(['hidden', 'law', true]);
  expect(await told('law-since')).toEqual(['hidden', 'law', true]);
  expect(await told('shown-again')).toBe('the words of shown-again');
  expect(await told('shown-since')).toBe('the words of shown-since');
  expect(await told('new-and-hidden')).toEqual(['hidden', 'rules', true]);
  expect(await told('deleted-since')).toEqual(['deleted', undefined, true]);
  for (const name of ['away-and-back', 'back-since']) expect(await told(name)).toBe(`the words of ${name}`);
  const due = ((await store.find('still-there')) as PostDocument).lookDueAt?.getTime() ?? 0;
  expect(Math.abs(due - soon.getTime() - 43_200_000)).toBeLessThan(43_200_000 + 600_000);
  for (const name of ['hidden-then-removed', 'removed-since']) {
    expect([name, await told(name)]).toEqual([name, [undefined, undefined, true]]);
  }
  expect(await target.db.collection('payments').findOne({ state: 'applied' })).toMatchObject({ _id: 'paid' });
  const aside = JSON.stringify(await target.db.collection('sealed_posts').find().toArray());
  expect(aside).toContain('the words of hidden');
  expect(aside).not.toContain('removed-since');
  expect(aside).not.toContain('then-removed');

  // The pictures of hidden posts are not served.
  const media = new MediaStore(target.db);
  expect(await media.findServed(pictures.hidden)).toBeNull();
  expect(await media.findServed(pictures.deleted)).toBeNull();

  // A hidden post comes back whole. A post that the backup lacks may be sent again.
  const sealed = new SealedPostStore(target.db, target.clock, new PostChanges(), { record: async () => {} });
  const stampOf = async () => (await store.find('hidden'))?.changedAt.toBigInt() ?? 0n;
  const hiddenAt = await stampOf();
  expect(await sealed.unhide(made.get('hidden') as ObjectId)).toBe(true);
  // The new stamp tells other processes and mirrors that the post is back.
  expect(await stampOf()).toBeGreaterThan(hiddenAt);
  const { changedAt: _before, ...before } = whole;
  expect(await store.find('hidden')).toMatchObject(before);
  expect(await sealed.unhide(made.get('new-and-hidden') as ObjectId)).toBe(true);
  expect(await store.find('new-and-hidden')).toBe(null);
});
