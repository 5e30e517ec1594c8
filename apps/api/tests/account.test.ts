import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { connectDatabase } from '../src/db/database.ts';
import { Ledger, ledgerFolder } from '../src/ledger/ledger.ts';
import { LedgerFiles } from '../src/ledger/ledger-files.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { PushStore } from '../src/notices/push-store.ts';
import { newPushKeys } from '../src/push-keys.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

/** Collections that may contain a deleted account's address: some outlive the account, others expire within minutes. */
const MAY_NAME = ['account_deletions', 'signed_marks', 'payments', 'launches'];

describe('an account', () => {
  let api: TestApi;
  let folder: string;
  let ids: string[];

  beforeAll(async () => {
    const { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY } = newPushKeys();
    api = await startTestApi({ env: { RATE_LIMITS: 'off', VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY } });
    folder = mkdtempSync(join(tmpdir(), 'account-'));
    await api.add(newPost({ id: 'one' }), newPost({ id: 'two' }));
    ids = await Promise.all(
      ['one', 'two'].map(async (id) => (await api.context.posts.store.find(id))?._id.toHexString() ?? ''),
    );
  });

  afterAll(async () => {
    await api?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Method = 'get' | 'post' | 'put' | 'delete';
  const call = (method: Method, path: string, token: string | null, body?: object) => {
    const one = request(api.app)[method](`/amber${path}`);
    if (token) one.set('Authorization', `Bearer ${token}`);
    return body ? one.send(body) : one;
  };
  const host = () => api.context.config.publicUrl.host;
  const now = () => api.context.database.clock.now().getTime();
  const askToDelete = (wallet: TestWallet, timestamp = now()) =>
    call('post', '/account/delete', null, wallet.signedDeletion({ timestamp, domain: host() }));
  const heartsOf = async (id: string) => (await call('get', `/reactions/${id}`, null)).body.heart as number;
  /** Moves the deletions back by a minute. */
  const letAMinutePass = async () => {
    const deletions = api.context.database.db.collection('account_deletions');
    await deletions.updateMany({}, [{ $set: { endsAt: { $subtract: ['$endsAt', 61_000] } } }]);
  };

  /** A person with data of every kind. */
  async function somebody() {
    const wallet = new TestWallet();
    const { token } = await wallet.signIn(api);
    await call('put', '/auth/profile', token, { displayName: 'Ann', bio: 'hello' });
    for (const id of ids) await call('post', `/reactions/${id}`, token, { reactionType: 'heart' });
    await call('post', '/searches', token, { query: 'search=ferry' });
    const { body } = await call('post', '/collections', token, { name: 'Night', isPublic: true });
    await call('put', `/collections/${body._id}/posts/one`, token);
    await call('post', '/saves', token, {
      url: `https://bsky.app/profile/did:plc:${'a'.repeat(24)}/post/3lbxyzabcde2f`,
    });
    const keys = { p256dh: newPushKeys().publicKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
    const endpoint = `https://push.example/${randomBytes(8).toString('hex')}`;
    const { body: browser } = await call('put', '/notices/browsers', token, { endpoint, keys });
    const message = { title: 'Amber', body: 'Your post is saved.', url: '/dashboard', tag: 'save' };
    const push = { browser: browser._id, wallet: wallet.address, notice: 'save', message };
    await new PushStore(api.context.database.db).add([push], new Date(now()));
    return { wallet, token };
  }

  /** The names of the collections that contain an address, except the log of acts. That log is never shortened. */
  async function namedIn(address: string, db = api.context.database.db): Promise<string[]> {
    const all = (await db.listCollections().toArray()).map(({ name }) => name);
    const names = all.filter((name) => name !== 'audit');
    const found = await Promise.all(
      names.map(async (name) => JSON.stringify(await db.collection(name).find({}).toArray()).includes(address)),
    );
    return names.filter((_, at) => found[at]).sort();
  }

  it('tells how much is kept of a wallet, and gives all of it as a file', async () => {
    const { wallet, token } = await somebody();
    const { body } = await call('get', '/account', token);
    expect(body).toMatchObject({ walletAddress: wallet.address, reactions: 2, savedSearches: 1, collections: 1 });
    expect(body).toMatchObject({ browsers: 1, sessions: 1, payments: 0, launches: 0 });
    const file = await call('get', '/account/export', token);
    expect(file.headers['content-disposition']).toBe(`attachment; filename="amber-account-${wallet.address}.json"`);
    expect(file.body).toMatchObject({
      walletAddress: wallet.address,
      profile: { displayName: 'Ann', bio: 'hello' },
      reactions: [{ type: 'heart' }, { type: 'heart' }],
      savedSearches: [{ query: 'search=ferry' }],
      collections: [{ name: 'Night', posts: [ids[0]] }],
      browsers: [{ endpoint: expect.stringContaining('push.example') }],
      payments: [],
      launches: [],
    });
    expect((await call('get', '/account', null)).status).toBe(401);
    expect((await call('get', '/account/export', null)).status).toBe(401);
  });

  it('is deleted by a signed message, and its wallet stands nowhere then', async () => {
    const { wallet, token } = await somebody();
    const before = await Promise.all(ids.map(heartsOf));
    expect((await namedIn(wallet.address)).length).toBeGreaterThan(5);
    expect((await askToDelete(wallet)).status).toBe(204);
    expect((await call('get', '/account', token)).status).toBe(401);
    const left = await namedIn(wallet.address);
    expect(left.filter((name) => !MAY_NAME.includes(name))).toEqual([]);
    expect(await Promise.all(ids.map(heartsOf))).toEqual(before.map((count) => count - 1));
    const rows = await api.context.database.db.collection('collection_posts').countDocuments({});
    const collections = await api.context.database.db.collection('collections').countDocuments({});
    expect(rows).toBe(collections);
  });

  it('lets nobody in while it is being deleted, and begins anew after a minute', async () => {
    const { wallet } = await somebody();
    await askToDelete(wallet);
    await expect(wallet.signIn(api)).rejects.toThrow('account_deleting');
    const reaction = wallet.signedReaction({
      action: 'add',
      reactionType: 'heart',
      archiveId: 'one',
      timestamp: now(),
    });
    const refused = await call('post', '/reactions/one/signature', null, { ...reaction, reactionType: 'heart' });
    expect([refused.status, refused.body.code]).toEqual([409, 'account_deleting']);
    await letAMinutePass();
    await api.context.people.finishDeletions();
    const { user } = await wallet.signIn(api);
    expect(user.profileSettings.displayName).toBe('');
  });

  it('takes along what was on its way while it was deleted', async () => {
    const { wallet } = await somebody();
    await askToDelete(wallet);
    // Requests that passed their session check before the deletion.
    const { reactions, searches, accounts, posts } = api.context;
    await reactions.changes.ask({ id: 'one', walletAddress: wallet.address, reactionType: 'heart', change: 'add' });
    const at = posts.store.now();
    await searches.store.add({ wallet: wallet.address, name: 'late', query: 'search=late', createdAt: at, seenAt: at });
    await accounts.users.change(wallet.address, { bio: 'late' });
    const hearts = await heartsOf('one');
    await letAMinutePass();
    await api.context.people.finishDeletions();
    expect(await namedIn(wallet.address)).toEqual(['signed_marks']);
    expect(await heartsOf('one')).toBe(hearts - 1);
  });

  it('is deleted to its end by another process where the first was killed on the way', async () => {
    const { wallet } = await somebody();
    // The first process recorded the deletion and was killed.
    await api.context.accounts.deletions.begin(wallet.address, api.context.database.clock.now());
    expect((await askToDelete(wallet)).status).toBe(204);
    const other = (await somebody()).wallet;
    await api.context.accounts.deletions.begin(other.address, api.context.database.clock.now());
    await letAMinutePass();
    await api.context.people.finishDeletions();
    for (const { address } of [wallet, other]) {
      expect((await namedIn(address)).filter((name) => name !== 'signed_marks')).toEqual([]);
    }
  });

  it('is deleted once by a message, by its own wallet, for this archive, within five minutes', async () => {
    const { wallet, token } = await somebody();
    const refuse = async (body: object) => (await call('post', '/account/delete', null, body)).body.code;
    const domain = host();
    const signed = wallet.signedDeletion({ timestamp: now(), domain });
    const eve = new TestWallet();
    expect(await refuse({ ...signed, walletAddress: eve.address })).toBe('invalid_request');
    expect(await refuse({ ...signed, signature: eve.sign(signed.message) })).toBe('signature_invalid');
    expect(await refuse(wallet.signedDeletion({ timestamp: now(), domain: 'evil.example' }))).toBe('invalid_request');
    const nameless = wallet.signedDeletion({ timestamp: now(), domain: undefined as never });
    expect(await refuse(nameless)).toBe('invalid_request');
    const old = wallet.signedDeletion({ timestamp: now() - 6 * 60_000, domain });
    expect(await refuse(old)).toBe('message_expired');
    const profile = wallet.signedProfile({ profileData: {}, timestamp: now(), domain });
    expect(await refuse(profile)).toBe('invalid_request');
    for (const other of [{ reactionType: 'heart' }, { archiveId: 'one' }, { profileData: { bio: 'other' } }]) {
      const message = JSON.stringify({ ...JSON.parse(signed.message), ...other });
      expect(await refuse({ ...signed, message, signature: wallet.sign(message) })).toBe('invalid_request');
    }
    expect((await call('get', '/account', token)).body.reactions).toBe(2);
    expect((await call('post', '/account/delete', null, signed)).status).toBe(204);
    expect(await refuse(signed)).toBe('message_replayed');
  });

  it('stays deleted when an older backup is restored, and keeps what came after', async () => {
    const { wallet } = await somebody();
    const early = join(folder, 'early');
    await writeBackup(api.context.database, early);
    await askToDelete(wallet);
    await letAMinutePass();
    await api.context.people.finishDeletions();
    // In the product a minute passes first. Here the ledger's entry is moved back by a minute too.
    const entries = ((await readLedger(ledgerFolder(api.context.config.dataDir)))?.entries ?? []).map((entry) =>
      entry.kind === 'account-deleted' ? { ...entry, deletedAt: new Date(entry.deletedAt.getTime() - 61_000) } : entry,
    );
    const { token } = await wallet.signIn(api);
    await call('post', '/reactions/one', token, { reactionType: 'thumbsUp' });
    await call('post', '/searches', token, { query: 'search=later' });
    await call('post', '/collections', token, { name: 'Later', isPublic: true });
    const late = join(folder, 'late');
    await writeBackup(api.context.database, late);

    const restored = async (file: string, entriesOfThen: typeof entries) => {
      const target = await connectDatabase(
        process.env['MONGODB_URI'] as string,
        `test_${randomBytes(6).toString('hex')}`,
      );
      const ledger = new Ledger(
        join(folder, `ledger-${randomBytes(4).toString('hex')}`),
        target.clock,
        new LedgerFiles(target.db).register,
      );
      try {
        await restoreBackup({ database: target, ledger, audit: { linkRestore: async () => {} } }, file, {
          entries: entriesOfThen,
          files: [],
          torn: [],
          mayLack: true,
        });
        const given = await target.db.collection('reactions').find({ wallet: wallet.address }).toArray();
        const of = (name: string) => target.db.collection(name).find({ wallet: wallet.address }).toArray();
        const owned = [...(await of('saved_searches')), ...(await of('collections'))].map(({ name }) => name);
        return { named: await namedIn(wallet.address, target.db), given: given.map(({ type }) => type), owned };
      } finally {
        await ledger.close();
        await target.db.dropDatabase();
        await target.close();
      }
    };
    const asWritten = (await readLedger(ledgerFolder(api.context.config.dataDir)))?.entries ?? [];
    const { named, given, owned } = await restored(early, asWritten);
    expect(named.filter((name) => name !== 'signed_marks')).toEqual([]);
    expect([given, owned]).toEqual([[], []]);
    expect(await restored(late, entries)).toMatchObject({ given: ['thumbsUp'], owned: ['later', 'Later'] });
  });
});
