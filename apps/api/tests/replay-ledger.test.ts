import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import { Audit } from '../src/audit/audit.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { connectDatabase, type Database } from '../src/db/database.ts';
import type { CreditUse, PaymentDocument } from '../src/featuring/payment-document.ts';
import { PaymentStore } from '../src/featuring/payment-store.ts';
import { applyPayment } from '../src/featuring/settle-payment.ts';
import { completeUse, settleUses } from '../src/featuring/spend-credits.ts';
import { Ledger, ledgerFolder } from '../src/ledger/ledger.ts';
import type { LedgerEntry } from '../src/ledger/ledger-entry.ts';
import { LedgerFiles } from '../src/ledger/ledger-files.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { PostStore } from '../src/posts/post-store.ts';
import { PostsOfKey } from '../src/posts/posts-of-key.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const URI = process.env['MONGODB_URI'] as string;
const PRICE = '1000000';

describe('what the ledger tells of money and refusals', () => {
  let folder: string;
  let api: TestApi;
  let target: Database;
  let payments: PaymentStore;
  let serial = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'replay-'));
    api = await startTestApi();
  });

  beforeEach(async () => {
    target = await connectDatabase(URI, `test_${randomBytes(6).toString('hex')}`);
    payments = new PaymentStore(target.db);
    const { db } = api.context.database;
    for (const name of ['posts', 'payments', 'credit_uses', 'launch_optouts', 'ledger_files'])
      await db.collection(name).deleteMany({});
  });

  afterEach(async () => {
    await target.db.dropDatabase();
    await target.close();
  });

  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function backUp(): Promise<string> {
    const file = join(folder, `backup-${++serial}`);
    await writeBackup(api.context.database, file);
    return file;
  }

  /** Restores the current or an earlier backup with these entries, whose times are one second apart. */
  async function restore(entries: LedgerEntry[], options: { mayLack?: boolean; from?: string } = {}) {
    const file = options.from ?? (await backUp());
    const kept = entries.map((entry, at) => ({ ...entry, at: new Date(at * 1_000) }));
    const ledger = new Ledger(join(folder, `ledger-${serial}`), target.clock, new LedgerFiles(target.db).register);
    try {
      const config = { ...api.context.config, dataDir: folder };
      const audit = new Audit({ config, database: target, ledger, log: api.context.log });
      const context = { database: target, ledger, audit };
      const restored = await restoreBackup(context, file, {
        entries: kept,
        files: [],
        torn: [],
        mayLack: options.mayLack === true,
      });
      // The settlement that a server runs half a minute after its start.
      await target.db.collection('credit_uses').updateMany({}, { $set: { changedAt: new Date(0) } });
      const store = new PostStore(target.db, target.clock, undefined, ledger);
      await settleUses({ ...context, posts: { store }, featuring: { payments } });
      return restored;
    } finally {
      await ledger.close();
    }
  }
  const written = async () => (await readLedger(join(folder, `ledger-${serial}`)))?.entries ?? [];

  /** The entries of the archive's ledger. */
  const told = async () => (await readLedger(ledgerFolder(api.context.config.dataDir)))?.entries ?? [];
  const restored = (id: string) => new PostStore(target.db, target.clock).find(id);

  async function addPost(): Promise<PostDocument> {
    const id = `posted-${randomBytes(6).toString('hex')}`;
    await api.add(newPost({ id }));
    return (await api.context.posts.store.find(id)) as PostDocument;
  }

  const paymentOf = (fields: Partial<PaymentDocument> = {}): PaymentDocument => ({
    _id: `payment-${randomBytes(6).toString('hex')}`,
    state: 'credit',
    payer: 'somebody',
    mint: 'a token',
    baseUnits: PRICE,
    post: null,
    reason: 'post_unknown',
    slot: 1,
    blockTime: new Date(0),
    finalizedAt: new Date(1),
    missingSince: null,
    use: null,
    usedOn: null,
    createdAt: new Date(0),
    ...fields,
  });
  const useOf = (post: ObjectId, credits: PaymentDocument[], fields: Partial<CreditUse> = {}): CreditUse => ({
    _id: `use:${randomBytes(6).toString('hex')}`,
    wallet: 'somebody',
    post,
    price: PRICE,
    credits: credits.map(({ _id }) => _id),
    state: 'claiming',
    changedAt: new Date(1_000),
    ...fields,
  });
  const keep = (...kept: PaymentDocument[]) => api.context.featuring.payments.payments.insertMany(kept);
  const keepUse = (use: CreditUse) => api.context.featuring.payments.uses.insertOne(use);
  const refundOf = (payment: string, transaction = 'tx'): LedgerEntry => ({
    kind: 'refund',
    payment,
    use: `refunded:${transaction}`,
  });
  const undoneOf = (payment: string, transaction = 'tx'): LedgerEntry => ({
    kind: 'refund-undone',
    payment,
    use: `refunded:${transaction}`,
  });

  describe('a refunded credit stays held', () => {
    it('that is what was left of a use of others', async () => {
      const { _id: post } = await addPost();
      const credit = paymentOf({ baseUnits: '1500000' });
      await keep(credit);
      const use = useOf(post, [credit]);
      await restore([{ kind: 'use', use }, refundOf(`change:${use._id}`)]);
      expect(await payments.find(`change:${use._id}`)).toMatchObject({ baseUnits: '500000', use: 'refunded:tx' });
    });

    it.each(['claiming', 'applying', 'releasing'] as const)(
      'that a use held and gave back, caught %s',
      async (state) => {
        const { _id: post } = await addPost();
        const credit = paymentOf();
        const use = useOf(post, [credit], { state });
        await keep({ ...credit, use: use._id });
        await keepUse(use);
        await restore([{ kind: 'use-released', use: use._id }, refundOf(credit._id)]);
        expect(await payments.find(credit._id)).toMatchObject({ use: 'refunded:tx', usedOn: null });
        expect((await payments.uses.findOne({ _id: use._id }))?.state).toBe('released');
      },
    );

    it('whatever a clock that jumped made of the order', async () => {
      const [credit, other] = [paymentOf(), paymentOf()];
      const { _id: post } = await addPost();
      const confirmed = paymentOf({ state: 'confirmed', reason: null, post, finalizedAt: null });
      await keep(other);
      await restore([
        refundOf(credit._id),
        refundOf(confirmed._id),
        // Held, not paid back, and held again for the same transaction.
        refundOf(other._id),
        refundOf(other._id),
        undoneOf(other._id),
        { kind: 'credit', payment: confirmed._id, reason: 'already_featured' },
        { kind: 'payment', payment: confirmed },
        { kind: 'payment', payment: credit },
      ]);
      for (const { _id } of [credit, confirmed, other])
        expect(await payments.find(_id)).toMatchObject({ state: 'credit', use: 'refunded:tx' });
    });

    it('that the backup knows as held, and one held for another transaction after the first was not sent', async () => {
      const [one, other, free] = [
        paymentOf({ use: 'refunded:tx' }),
        paymentOf({ use: 'refunded:tx' }),
        paymentOf({ use: 'refunded:tx' }),
      ];
      await keep(one, other, free);
      await restore([
        refundOf(one._id),
        refundOf(other._id),
        undoneOf(other._id),
        refundOf(other._id, 'second'),
        refundOf(free._id),
        undoneOf(free._id),
      ]);
      const uses = await Promise.all([one, other, free].map(async ({ _id }) => (await payments.find(_id))?.use));
      expect(uses).toEqual(['refunded:tx', 'refunded:second', null]);
    });

    it('that a transaction of the chain paid back, however often its release was begun and broken off', async () => {
      const credit = paymentOf();
      await keep(credit);
      const refund = { transaction: 'paid-back', at: new Date(3_000) };
      await restore([
        refundOf(credit._id),
        undoneOf(credit._id),
        { kind: 'refund-marked', payment: credit._id, refund },
      ]);
      expect(await payments.find(credit._id)).toMatchObject({ use: 'refunded:tx', refund });
    });

    it('and a mark that the database refused marks nothing, so that the transaction stays that of the other credit', async () => {
      const [one, other] = [paymentOf(), paymentOf()];
      await keep(one, other);
      const refund = { transaction: 'paid-back', at: new Date(3_000) };
      await restore([
        refundOf(one._id),
        refundOf(other._id),
        { kind: 'refund-marked', payment: one._id, refund },
        { kind: 'refund-unmarked', payment: one._id, refund },
        { kind: 'refund-marked', payment: other._id, refund },
      ]);
      expect(await payments.find(other._id)).toMatchObject({ refund });
      expect((await payments.find(one._id))?.refund).toBeUndefined();
    });

    it('or the restore says of which one it cannot be told, and no server starts', async () => {
      const missing = restore([refundOf('a-credit')]);
      await expect(missing).rejects.toThrow(/credit a-credit was paid back \(refunded:tx\).*not there/);
      expect(await written()).toEqual([]);
      const { _id: post } = await addPost();
      const credit = paymentOf();
      await keep(credit);
      const entries: LedgerEntry[] = [{ kind: 'use', use: useOf(post, [credit]) }, refundOf(credit._id)];
      await expect(restore(entries)).rejects.toThrow(`credit ${credit._id} was paid back`);
      const { unheld } = await restore(entries, { mayLack: true });
      expect(unheld).toMatchObject([expect.stringContaining(credit._id)]);
    });
  });

  it('a restore that cannot hold a refunded credit ends with 1, names it, and may be told to go on', async () => {
    const from = await backUp();
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const ledger = new Ledger(ledgerFolder(dataDir), target.clock, async () => {});
    await ledger.record(refundOf('a-credit'));
    await ledger.close();
    const uri = new globalThis.URL(URI);
    uri.pathname = `/${target.db.databaseName}`;
    const env = { ...process.env, MONGODB_URI: uri.href, DATA_DIR: dataDir };
    const amber = (...args: string[]) =>
      new Promise<{ code: number; out: string; err: string }>((resolve) => {
        execFile(process.execPath, [join(__dirname, '../dist/cli.js'), ...args], { env }, (error, out, err) =>
          resolve({ code: Number(error?.code ?? 0), out, err }),
        );
      });
    const failed = await amber('restore', from);
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('The credit a-credit was paid back')]);
    expect((await amber('keys', 'list')).err).toContain('half of a restore');
    const done = await amber('restore', from, '--without-ledger');
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('The credit a-credit was paid back')]);
  });

  it('a credit goes from a use that gave it back to the one that took it next', async () => {
    const [first, second] = [await addPost(), await addPost()];
    const credit = paymentOf();
    const given = useOf(first._id, [credit], { state: 'applying' });
    await keep({ ...credit, use: given._id });
    await keepUse(given);
    const use = useOf(second._id, [credit]);
    await restore([
      { kind: 'use-released', use: given._id },
      { kind: 'use', use },
    ]);
    expect(await payments.find(credit._id)).toMatchObject({ use: use._id, usedOn: second._id });
  });

  it('what was left of one use is there for the next, though that seems to be of before', async () => {
    const [first, second] = [await addPost(), await addPost()];
    const credit = paymentOf({ baseUnits: '2000000' });
    await keep(credit);
    const use = useOf(first._id, [credit], { changedAt: new Date(9_000) });
    const next = { ...useOf(second._id, []), credits: [`change:${use._id}`] };
    await restore([
      { kind: 'use', use: next },
      { kind: 'use', use },
    ]);
    expect(await payments.find(`change:${use._id}`)).toMatchObject({ use: next._id, usedOn: second._id });
    expect(await payments.uses.countDocuments({ state: 'applied' })).toBe(2);
  });

  describe('what was paid for a post that is removed since', () => {
    const remove = (post: ObjectId, options = {}) => api.context.posts.store.remove(post, options);

    /** Settles a payment as the product does. */
    async function pay(payment: PaymentDocument): Promise<void> {
      await api.context.ledger.record({ kind: 'payment', payment });
      await applyPayment(api.context, await api.context.featuring.payments.keep(payment));
    }

    /** Uses credits as the product does. */
    async function spend(use: CreditUse): Promise<void> {
      const { payments } = api.context.featuring;
      await keepUse({ ...use, state: 'applying' });
      await payments.payments.updateMany({ _id: { $in: use.credits } }, { $set: { use: use._id } });
      await api.context.ledger.record({ kind: 'use', use });
      await completeUse(api.context, use);
    }

    const confirmed = (post: ObjectId) => paymentOf({ state: 'confirmed', reason: null, post, finalizedAt: null });
    it.each([
      ['of before the backup', true, true],
      ['of before the backup and undone', true, false],
      ['of after the backup', false, true],
      ['of after the backup and undone', false, false],
    ])('stays spent: a payment for a post %s', async (_, isBefore, isRefused) => {
      const before = (await told()).length;
      const early = isBefore ? await addPost() : null;
      const from = await backUp();
      const post = early ?? (await addPost());
      const [payment, late] = [confirmed(post._id), confirmed(post._id)];
      await pay(payment);
      await remove(post._id, { isRefused });
      await pay(late);
      await restore((await told()).slice(before), { from });
      expect(await payments.find(payment._id)).toMatchObject({ state: 'applied', post: post._id });
      expect(await payments.find(late._id)).toMatchObject({ state: 'credit', reason: 'post_removed' });
      expect(await restored(post._id.toHexString())).toMatchObject({ removedAt: expect.any(Date) });
    });

    it('stays spent: a use of credits, and what was left of it is there', async () => {
      const before = (await told()).length;
      const post = await addPost();
      const credit = paymentOf({ baseUnits: '1500000' });
      await keep(credit);
      const from = await backUp();
      const use = useOf(post._id, [credit]);
      await spend(use);
      await remove(post._id);
      await restore((await told()).slice(before), { from });
      expect(await payments.find(credit._id)).toMatchObject({ use: use._id, usedOn: post._id });
      expect(await payments.find(`change:${use._id}`)).toMatchObject({ baseUnits: '500000', use: null });
      expect((await payments.uses.findOne({ _id: use._id }))?.state).toBe('applied');
    });

    it('stays spent where the team had ended the featuring before', async () => {
      const before = (await told()).length;
      const { _id: post } = await addPost();
      const from = await backUp();
      const payment = confirmed(post);
      await pay(payment);
      await api.context.posts.store.setFeatured(post, false);
      await remove(post);
      await restore((await told()).slice(before), { from });
      expect((await payments.find(payment._id))?.state).toBe('applied');
    });

    it('is a credit still where it had become one', async () => {
      const before = (await told()).length;
      const [post, other] = [await addPost(), await addPost()];
      const from = await backUp();
      const [first, late] = [confirmed(post._id), confirmed(post._id)];
      await pay(first);
      await pay(late);
      await remove(post._id);
      await restore((await told()).slice(before), { from });
      expect((await payments.find(first._id))?.state).toBe('applied');
      expect((await payments.find(late._id))?.state).toBe('credit');
      expect(await restored(other._id.toHexString())).toMatchObject({ featured: false });
    });

    it('is a credit where the post is lost without having been removed', async () => {
      const before = (await told()).length;
      const from = await backUp();
      const payment = confirmed((await addPost())._id);
      await pay(payment);
      await restore((await told()).slice(before), { from });
      expect(await payments.find(payment._id)).toMatchObject({ state: 'credit', reason: 'post_unknown' });
    });
  });

  describe('ids that a key added to posts of others', () => {
    /** Drops ids as `amber keys undo` does. Returns the new ledger entries. */
    async function undo(key: string): Promise<LedgerEntry[]> {
      const before = (await told()).length;
      await new PostsOfKey(api.context.database.db, key, api.context.ledger).dropAliases();
      return (await told()).slice(before);
    }

    async function withAliases(): Promise<PostDocument> {
      const post = await addPost();
      const url = 'https://x.com/adabyron/status/2';
      for (const savedBy of ['leaked', 'honest'])
        await api.context.posts.store.addAlias(post._id, { id: `${post.id}-${savedBy}`, url, at: new Date(), savedBy });
      return post;
    }

    it('stay taken back', async () => {
      const { _id, id } = await withAliases();
      const from = await backUp();
      const entries = await undo('leaked');
      await restore(entries, { from });
      expect(entries).toMatchObject([{ kind: 'aliases-dropped', key: 'leaked', ids: [`${id}-leaked`] }]);
      expect(await restored(_id.toHexString())).toMatchObject({
        ids: [id, `${id}-honest`],
        aliases: [{ savedBy: 'honest' }],
      });
    });

    it('are there all the same where the key added them after it was undone', async () => {
      const { _id, id } = await withAliases();
      const undone = await undo('leaked');
      const url = 'https://x.com/adabyron/status/3';
      const later = { id: `${id}-later`, url, at: new Date(), savedBy: 'leaked' };
      await api.context.posts.store.addAlias(_id, later);
      await restore(undone, { from: await backUp() });
      expect(await restored(_id.toHexString())).toMatchObject({ ids: [id, `${id}-honest`, `${id}-later`] });
    });

    it('remove nothing of others when what was sent under one of them later is removed, whatever a clock says', async () => {
      const { _id, id } = await withAliases();
      const from = await backUp();
      const undone = await undo('leaked');
      const before = (await told()).length;
      await api.add(newPost({ id: `${id}-leaked` }));
      await api.context.posts.store.remove((await api.context.posts.store.find(`${id}-leaked`))?._id as ObjectId);
      await restore([...(await told()).slice(before), ...undone], { from });
      expect(await restored(_id.toHexString())).not.toHaveProperty('removedAt');
      expect(await restored(`${id}-leaked`)).toHaveProperty('removedAt');
    });

    it('are nothing to tell where there are none', async () => {
      expect(await undo('honest')).toEqual([]);
    });
  });

  describe('an author who refuses launches', () => {
    const optOuts = async () => (await target.db.collection('launch_optouts').find().toArray()).map(({ _id }) => _id);
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
    const out = (handle: string, createdAt: Date): LedgerEntry => ({ kind: 'opt-out', handle, createdAt });
    const back = (handle: string, createdAt: Date): LedgerEntry => ({ kind: 'opt-in', handle, createdAt });

    it('does so still where a clock that jumped puts an earlier consent last', async () => {
      await restore([out('ada', at(2)), out('ada', at(1)), back('ada', at(1)), back('eve', at(3)), out('eve', at(3))]);
      expect(await optOuts()).toEqual(['ada']);
    });

    it('does so still where the backup knows of an earlier time', async () => {
      const kept = api.context.database.db.collection<{ _id: string; createdAt: Date }>('launch_optouts');
      await kept.insertOne({ _id: 'ada', createdAt: at(1) });
      await restore([out('ada', at(1)), out('ada', at(2)), back('ada', at(1))]);
      expect(await optOuts()).toEqual(['ada']);
    });
  });
});
