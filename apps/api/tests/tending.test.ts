import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import { call, Launcher, TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { addPost, startLaunchApi } from './_launch-api.ts';
import { newPost, type TestApi } from './_test-api.ts';

const LINK = 'https://bsky.app/profile/did:plc:abcdefghijklmnopqrstuvwx/post/3lbxyzabcde2f';

describe('what operators tend', () => {
  let solana: LocalSolana;
  let api: TestApi;
  const admin = new TestWallet();
  const moderator = new TestWallet();
  let token: string;
  let moderating: string;

  beforeAll(async () => {
    solana = await openLocalSolana({ slotMs: 0 });
    api = await startLaunchApi(solana, { env: { ADMIN_WALLETS: admin.address } });
    await api.context.operators.store.make(moderator.address, 'test');
    token = (await admin.signIn(api)).token;
    moderating = (await moderator.signIn(api)).token;
  });

  afterAll(async () => {
    await api.close();
    await solana.close();
  });

  const logged = async (act: string) => (await call(api, 'GET', `/amber/admin/log?act=${act}`, token)).body.data;

  it('makes a key that is shown once, tells all keys without them, and ends one at once', async () => {
    const made = await call(api, 'POST', '/amber/admin/keys', token, { name: 'a program', reason: 'asked for' });
    expect(made.status).toBe(201);
    const { id, key } = made.body;
    expect((await call(api, 'POST', '/amber/archives', key, newPost())).status).toBe(201);
    const list = await call(api, 'GET', '/amber/admin/keys', token);
    expect(list.body.data).toMatchObject([{ _id: id, name: 'a program', scopes: ['ingest'], revokedAt: null }]);
    expect(JSON.stringify(list.body)).not.toContain(secretOf(key));
    expect((await call(api, 'DELETE', `/amber/admin/keys/${id}?reason=leaked`, token)).status).toBe(204);
    expect((await call(api, 'POST', '/amber/archives', key, newPost())).status).toBe(401);
    expect((await call(api, 'DELETE', `/amber/admin/keys/${id}`, token)).status).toBe(404);
    const entries = JSON.stringify([await logged('make+key'), await logged('revoke+key')]);
    expect(entries).toMatch(/leaked/);
    expect(entries).not.toContain(secretOf(key));
    for (const body of [{ name: '' }, { name: 'a', scopes: ['all'] }, { name: 'a', postsPerMinute: 0 }])
      expect((await call(api, 'POST', '/amber/admin/keys', token, body)).status).toBe(400);
  });

  it('tells launches by their state, and how long the key that pays for them lasts', async () => {
    const launcher = await Launcher.open(api);
    const key = () => call(api, 'GET', '/amber/admin/launches/key', token);
    expect((await key()).body).toMatchObject({ lamportsEach: null, launchesLeft: null });
    for (const { post } of [await addPost(api), await addPost(api)]) await launcher.launch({ amberId: post });
    const list = (state: string) => call(api, 'GET', `/amber/admin/launches?state=${state}`, token);
    expect((await list('sent')).body.data).toHaveLength(2);
    await solana.control.advance(1);
    await api.context.launches.watcher?.look();
    expect([(await list('sent')).body.data, (await list('confirmed')).body.data.length]).toEqual([[], 2]);
    const { lamports, lamportsEach, floorLamports, launchesLeft, daysLeft } = (await key()).body;
    expect(Number(lamportsEach)).toBeGreaterThan(5_000);
    expect(launchesLeft).toBe(Math.floor((Number(lamports) - Number(floorLamports)) / Number(lamportsEach)));
    expect(daysLeft).toBe(Math.floor(launchesLeft / (2 / 7)));
  });

  it('gives a post another category, which lists show at once', async () => {
    await api.add(newPost({ id: 'wrong', category: 'meme' }));
    const answer = await call(api, 'PUT', '/amber/admin/posts/wrong/category', moderating, { category: 'news' });
    expect(answer.status).toBe(204);
    const { body } = await call(api, 'GET', '/amber/archives?category=news');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['wrong']);
    expect(await logged('set+category')).toMatchObject([
      { actor: { id: moderator.address }, before: { category: 'meme' }, after: { category: 'news' } },
    ]);
    expect((await call(api, 'PUT', '/amber/admin/posts/never/category', moderating, { category: null })).status).toBe(
      404,
    );
  });

  it('ends a request to save, and has one that failed begin again', async () => {
    const asked = await call(api, 'POST', '/amber/saves', (await new TestWallet().signIn(api)).token, { url: LINK });
    const tend = (what: string) => call(api, 'PUT', `/amber/admin/saves/${asked.body._id}/${what}`, moderating, {});
    expect((await tend('retry')).body.code).toBe('save_refused');
    expect((await tend('cancel')).body).toMatchObject({ state: 'failed', reason: 'cancelled' });
    expect((await tend('cancel')).body.code).toBe('save_refused');
    expect((await tend('retry')).body).toMatchObject({ state: 'received', reason: null });
    expect((await call(api, 'PUT', '/amber/admin/saves/nothing/retry', moderating, {})).status).toBe(404);
    // Moderators see public requests only.
    const saves = api.context.database.db.collection('saves');
    await saves.updateOne({ _id: new ObjectId(asked.body._id as string) }, { $set: { isPublic: false } });
    expect([(await tend('cancel')).status, (await tend('retry')).status]).toEqual([404, 404]);
  });

  it('lets the wallet that asked take a request back, and no other', async () => {
    const [own, other] = [await new TestWallet().signIn(api), await new TestWallet().signIn(api)];
    const { body: asked } = await call(api, 'POST', '/amber/saves', own.token, { url: LINK });
    const takeBack = (by?: string) => call(api, 'DELETE', `/amber/saves/${asked._id}`, by);
    expect([(await takeBack()).status, (await takeBack(other.token)).status]).toEqual([401, 404]);
    expect((await call(api, 'GET', `/amber/saves/${asked._id}`)).body.state).toBe('received');
    expect((await takeBack(own.token)).body).toMatchObject({ state: 'failed', reason: 'taken_back' });
    // Taking back one's own request causes no notice.
    expect((await call(api, 'GET', '/amber/notices', own.token)).body.data).toEqual([]);
    expect((await takeBack(own.token)).body.code).toBe('save_refused');
    expect((await call(api, 'DELETE', '/amber/saves/nothing', own.token)).status).toBe(404);
  });
});

/** The secret after the key's name and id. It may contain the separator. */
function secretOf(key: string): string {
  return key.split('_').slice(2).join('_');
}
