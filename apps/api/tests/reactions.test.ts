import { type PostReactions, REACTION_TYPES } from '@archive/contracts';
import { call, TestWallet } from '@archive/testing';
import { cases } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import bs58 from 'bs58';
import type { ObjectId } from 'mongodb';
import request from 'supertest';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('reacting to posts', () => {
  let api: TestApi;
  let postId: string;
  let now = Date.now();

  beforeAll(async () => {
    api = await startTestApi({ env: { RATE_LIMITS: 'off' }, overrides: { now: () => now } });
    await api.add(newPost({ id: 'liked' }), newPost({ id: 'other' }), newPost({ id: 'gone', content: 'gone' }));
    postId = (await api.context.posts.store.find('liked'))?._id.toHexString() as string;
    const gone = (await api.context.posts.store.find('gone'))?._id as ObjectId;
    await api.context.posts.store.remove(gone);
  });

  afterAll(() => api.close());

  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const add = (token: string, id: string, reactionType: unknown) =>
    call(api, 'POST', `/amber/reactions/${id}`, token, { reactionType });
  const remove = (token: string, id: string, type: string) =>
    call(api, 'DELETE', `/amber/reactions/${id}/${type}`, token);
  const read = async (id: string, wallet?: string) =>
    (await call(api, 'GET', `/amber/reactions/${id}${wallet ? `?walletAddress=${wallet}` : ''}`)).body as PostReactions;
  const rows = () => api.context.database.db.collection('reactions').countDocuments();

  it('sets a reaction on and off by token; repeating either changes nothing', async () => {
    const wallet = new TestWallet();
    const { token } = await wallet.signIn(api);
    const on = { heart: 1, thumbsUp: 0, thumbsDown: 0, userReactions: ['heart'] };
    expect((await add(token, 'liked', 'heart')).body).toEqual(on);
    expect((await add(token, postId, 'heart')).body).toEqual(on);
    expect(await read('liked', wallet.address)).toEqual(on);
    expect(await read('liked')).toEqual({ ...on, userReactions: [] });
    const off = { heart: 0, thumbsUp: 0, thumbsDown: 0, userReactions: [] };
    expect((await remove(token, 'liked', 'heart')).body).toEqual(off);
    expect((await remove(token, postId, 'heart')).body).toEqual(off);
  });

  it('shows counts in listings, exports and single posts at once', async () => {
    const { token } = await new TestWallet().signIn(api);
    await request(api.app).get('/amber/archives');
    await add(token, 'other', 'thumbsUp');
    const counts = { heart: 0, thumbsUp: 1, thumbsDown: 0 };
    const { body } = await request(api.app).get('/amber/archives');
    expect(body.data.find((post: { id: string }) => post.id === 'other').reactions).toEqual(counts);
    expect((await request(api.app).get('/amber/archives/other')).body.reactions).toEqual(counts);
    expect(
      (await request(api.app).get('/amber/archives/export?format=json')).body.find(
        (post: { id: string }) => post.id === 'other',
      ).reactions,
    ).toEqual(counts);
    await remove(token, 'other', 'thumbsUp');
  });

  it('lists what a wallet has given, newest first, with the posts', async () => {
    const wallet = new TestWallet();
    const { token } = await wallet.signIn(api);
    await add(token, 'liked', 'heart');
    now += 1_000;
    await add(token, 'other', 'thumbsDown');
    for (const path of ['/amber/reactions/user', '/archives/reactions/user']) {
      const { body } = await request(api.app).get(path).set(bearer(token));
      expect(body).toEqual([
        {
          archiveId: expect.any(String),
          reactionType: 'thumbsDown',
          createdAt: new Date(now).toISOString(),
          archive: expect.objectContaining({ id: 'other' }),
        },
        {
          archiveId: postId,
          reactionType: 'heart',
          createdAt: new Date(now - 1_000).toISOString(),
          archive: expect.objectContaining({ id: 'liked' }),
        },
      ]);
    }
    const { body: user } = await request(api.app).get('/amber/auth/me').set(bearer(token));
    expect(user.activity.interactions).toEqual([
      { type: 'thumbsDown', archiveId: expect.any(String), at: new Date(now).toISOString() },
      { type: 'heart', archiveId: postId, at: new Date(now - 1_000).toISOString() },
    ]);
    await remove(token, 'liked', 'heart');
    await remove(token, 'other', 'thumbsDown');
  });

  it('lets a script without a token react by signatures alone, and anybody count again', async () => {
    const wallets = Array.from({ length: 3 }, () => new TestWallet());
    for (const wallet of wallets) {
      const signed = wallet.signedReaction({
        action: 'add',
        reactionType: 'thumbsUp',
        archiveId: 'liked',
        timestamp: now,
      });
      const { status, body } = await request(api.app)
        .post(`/archives/reactions/${postId}/signature`)
        .send({ ...signed, reactionType: 'thumbsUp' });
      expect([status, body.userReactions]).toEqual([200, ['thumbsUp']]);
    }
    const [first] = wallets as [TestWallet];
    const signed = first.signedReaction({
      action: 'remove',
      reactionType: 'thumbsUp',
      archiveId: postId,
      timestamp: now + 1,
      domain: 'localhost:4000',
      nonce: 'x',
    });
    const { body } = await request(api.app).post('/amber/reactions/liked/thumbsUp/signature/remove').send(signed);
    expect(body).toEqual({ heart: 0, thumbsUp: 2, thumbsDown: 0, userReactions: [] });
    const receipts = await request(api.app).get('/amber/reactions/liked/wallets');
    expect(receipts.body.data.map((row: { walletAddress: string }) => row.walletAddress).sort()).toEqual(
      wallets
        .slice(1)
        .map((wallet) => wallet.address)
        .sort(),
    );
    expect(receipts.body.next).toBeNull();
  });

  it('refuses every signed message that does not say exactly this, and stores nothing', async () => {
    const wallet = new TestWallet();
    const other = new TestWallet();
    const before = await rows();
    const base = { action: 'add' as const, reactionType: 'heart' as const, archiveId: 'liked', timestamp: now };
    const send = (signed: object, id = 'liked', reactionType: unknown = 'heart') =>
      request(api.app)
        .post(`/amber/reactions/${id}/signature`)
        .send({ reactionType, ...signed });
    const text = (message: string, fields: object = {}) =>
      send({ walletAddress: wallet.address, message, signature: wallet.sign(message), ...fields });
    const good = JSON.stringify({ ...base, walletAddress: wallet.address });
    const attacks: [string, () => request.Test, number][] = [
      ['another post in the path', () => send(wallet.signedReaction(base), 'other'), 400],
      ['another type in the body', () => send(wallet.signedReaction(base), 'liked', 'thumbsUp'), 400],
      ['another action', () => send(wallet.signedReaction({ ...base, action: 'remove' })), 400],
      ['a profile message', () => send(wallet.signedProfile({ profileData: {}, timestamp: now })), 400],
      ["another wallet's message", () => send({ ...other.signedReaction(base), walletAddress: wallet.address }), 400],
      ["another wallet's signature", () => text(good, { signature: other.sign(good) }), 401],
      ['another domain', () => send(wallet.signedReaction({ ...base, domain: 'evil.example' })), 400],
      ['six minutes ago', () => send(wallet.signedReaction({ ...base, timestamp: now - 6 * 60_000 })), 400],
      ['in six minutes', () => send(wallet.signedReaction({ ...base, timestamp: now + 6 * 60_000 })), 400],
      ['a timestamp as text', () => text(good.replace(String(now), `"${now}"`)), 400],
      ['a timestamp that is none', () => text(good.replace(String(now), '1e999')), 400],
      ['an extra key', () => text(good.replace('{', '{"admin":true,')), 400],
      ['a repeated key', () => text(good.replace('{', '{"action":"remove",')), 400],
      ['a repeated key in other letters', () => text(good.replace('{', '{"\\u0061ction":"remove",')), 400],
      ['__proto__', () => text(good.replace('{', '{"__proto__":{"action":"add"},')), 400],
      ['a thousand levels', () => text('['.repeat(3_900) + ']'.repeat(3_900)), 400],
      ['no JSON', () => text('hello'), 400],
      ['a list', () => text('[]'), 400],
      ['null', () => text('null'), 400],
      ['constructor for a type', () => send(wallet.signedReaction(base), 'liked', 'constructor'), 400],
      ['an object for a type', () => send(wallet.signedReaction(base), 'liked', { $ne: null }), 400],
      ['an object for a wallet', () => text(good, { walletAddress: { $ne: null } }), 400],
      ['a changed byte', () => text(good, { signature: wallet.sign(`${good} `) }), 401],
      ['base64 of 63 bytes', () => text(good, { signature: Buffer.alloc(63, 1).toString('base64') }), 400],
      ['65 bytes', () => text(good, { signature: bs58.encode(new Uint8Array(65).fill(3)) }), 400],
      ['a megabyte', () => text('x'.repeat(1_000_000)), 413],
      ['an unknown post', () => send(wallet.signedReaction({ ...base, archiveId: 'nobody' }), 'nobody'), 404],
      ['a removed post', () => send(wallet.signedReaction({ ...base, archiveId: 'gone' }), 'gone'), 410],
    ];
    for (const [name, attack, status] of attacks) {
      const answer = await attack();
      expect([name, answer.status, typeof answer.body.message]).toEqual([name, status, 'string']);
    }
    expect(await rows()).toBe(before);
    expect((await send(wallet.signedReaction(base))).status).toBe(200);
  });

  it('tells who reacted in pages of a thousand, by wallet and type, without a gap', async () => {
    await api.add(newPost({ id: 'crowded' }));
    const post = (await api.context.posts.store.find('crowded'))?._id;
    const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghi';
    const rows = Array.from({ length: 1_001 }, (_, at) => ({
      post,
      wallet: `${'A'.repeat(40)}${LETTERS[at >> 6]}${LETTERS[(at >> 1) & 31]}`,
      type: at % 2 ? 'thumbsUp' : 'heart',
      createdAt: new Date(0),
    }));
    const all = rows.map(({ wallet, type }) => `${wallet}:${type}`);
    const reactions = api.context.database.db.collection('reactions');
    await reactions.insertMany(rows.toReversed());
    const page = async (after?: string) => {
      const { body } = await request(api.app)
        .get('/amber/reactions/crowded/wallets')
        .query(after ? { after } : {});
      const data = body.data as { walletAddress: string; reactionType: string }[];
      return [data.map(({ walletAddress, reactionType }) => `${walletAddress}:${reactionType}`), body.next];
    };
    expect(await page()).toEqual([all.slice(0, 1_000), all[999]]);
    expect(await page(all[999])).toEqual([all.slice(1_000), null]);
    // A page may end between two reactions of one wallet.
    expect(await page(all[998])).toEqual([all.slice(999), null]);
    await reactions.deleteMany({ post });
  });

  it('accepts a signed message within five minutes of its time, before and after', async () => {
    const wallet = new TestWallet();
    const minutes = [-5.5, -4.5, 4.5, 5.5];
    const codes = [];
    for (const away of minutes) {
      const signed = wallet.signedReaction({
        action: 'add',
        reactionType: 'heart',
        archiveId: 'other',
        timestamp: Date.now() + away * 60_000,
      });
      const { body } = await request(api.app)
        .post('/amber/reactions/other/signature')
        .send({ ...signed, reactionType: 'heart' });
      codes.push(body.code ?? 'accepted');
    }
    expect(codes).toEqual(['message_expired', 'accepted', 'accepted', 'message_expired']);
    await request(api.app)
      .post('/amber/reactions/other/heart/signature/remove')
      .send(
        wallet.signedReaction({
          action: 'remove',
          reactionType: 'heart',
          archiveId: 'other',
          timestamp: Date.now() + 4.6 * 60_000,
        }),
      );
    expect((await read('other', wallet.address)).userReactions).toEqual([]);
  });

  it('accepts a signed message once, and none older than the last', async () => {
    const wallet = new TestWallet();
    const add = wallet.signedReaction({ action: 'add', reactionType: 'heart', archiveId: 'other', timestamp: now });
    const take = wallet.signedReaction({
      action: 'remove',
      reactionType: 'heart',
      archiveId: 'other',
      timestamp: now + 2,
    });
    const older = wallet.signedReaction({
      action: 'add',
      reactionType: 'heart',
      archiveId: 'other',
      timestamp: now + 1,
    });
    const sendAdd = (signed: object) =>
      request(api.app)
        .post('/amber/reactions/other/signature')
        .send({ ...signed, reactionType: 'heart' });
    expect((await sendAdd(add)).status).toBe(200);
    expect((await request(api.app).post('/amber/reactions/other/heart/signature/remove').send(take)).status).toBe(200);
    for (const replay of [add, older]) {
      const { status, body } = await sendAdd(replay);
      expect([status, body.code]).toEqual([409, 'message_replayed']);
    }
    // Another encoding of the same signature is the same message.
    const base64 = { ...add, signature: Buffer.from(bs58.decode(add.signature)).toString('base64') };
    expect((await sendAdd(base64)).status).toBe(409);
    expect((await read('other', wallet.address)).userReactions).toEqual([]);
  });

  it("does not let a stranger use up a wallet's budget by naming it", async () => {
    const limited = await startTestApi();
    await limited.add(newPost({ id: 'liked' }));
    const victim = new TestWallet();
    const { token } = await victim.signIn(limited);
    const signed = victim.signedReaction({
      action: 'add',
      reactionType: 'heart',
      archiveId: 'liked',
      timestamp: Date.now(),
    });
    for (let i = 0; i < 119; i++) {
      const forged = { ...signed, signature: bs58.encode(new Uint8Array(64).fill(i + 1)), reactionType: 'heart' };
      await call(limited, 'POST', '/amber/reactions/liked/signature', null, forged);
    }
    const own = await request(limited.app)
      .post('/amber/reactions/liked')
      .set(bearer(token))
      .send({ reactionType: 'heart' });
    expect([own.status, own.headers['ratelimit-remaining']]).toEqual([200, '119']);
    await limited.close();
  });

  it('refuses calls by token that are not a reaction of this wallet', async () => {
    const { token } = await new TestWallet().signIn(api);
    const before = await rows();
    for (const type of ['constructor', '__proto__', 'like', '', null, 5, { $ne: null }, ['heart']]) {
      expect([type, (await add(token, 'liked', type)).status]).toEqual([type, 400]);
    }
    expect((await remove(token, 'liked', 'constructor')).status).toBe(400);
    expect((await add(token, 'nobody', 'heart')).status).toBe(404);
    expect((await add(token, 'gone', 'heart')).status).toBe(410);
    expect((await add('x', 'liked', 'heart')).status).toBe(401);
    expect((await request(api.app).get('/amber/reactions/liked?walletAddress=x')).status).toBe(400);
    expect((await request(api.app).get('/amber/reactions/user')).status).toBe(401);
    expect(await rows()).toBe(before);
  });

  it('counts exactly under many wallets at once, with one effect of equal calls', async () => {
    const sessions = await Promise.all(Array.from({ length: 12 }, () => new TestWallet().signIn(api)));
    const base = await read('liked');
    for (let round = 0; round < cases({ quick: 2, full: 5 }); round++) {
      await Promise.all(
        sessions.flatMap(({ token }) => Array.from({ length: 8 }, () => add(token, 'liked', 'thumbsDown'))),
      );
      expect((await read('liked')).thumbsDown).toBe(base.thumbsDown + 12);
      await Promise.all(
        sessions.flatMap(({ token }) => Array.from({ length: 8 }, () => remove(token, 'liked', 'thumbsDown'))),
      );
      expect((await read('liked')).thumbsDown).toBe(base.thumbsDown);
    }
    const byRows = await api.context.database.db
      .collection('reactions')
      .aggregate([
        { $group: { _id: { p: '$post', t: '$type', w: '$wallet' }, n: { $sum: 1 } } },
        { $match: { n: { $gt: 1 } } },
      ])
      .toArray();
    expect(byRows).toEqual([]);
    expect(REACTION_TYPES).toHaveLength(3);
  });
});

describe('profile and preferences', () => {
  let api: TestApi;
  const now = Date.now();

  beforeAll(async () => {
    api = await startTestApi({ env: { RATE_LIMITS: 'off' }, overrides: { now: () => now } });
  });

  afterAll(() => api.close());

  const put = (path: string, token: string, body: object) =>
    request(api.app).put(path).set('Authorization', `Bearer ${token}`).send(body);

  it('changes what is given, clears what is empty and keeps the rest', async () => {
    const { token } = await new TestWallet().signIn(api);
    await put('/amber/auth/profile', token, {
      displayName: 'Ada',
      bio: 'counts',
      avatar: 'https://pbs.twimg.com/a.png',
    });
    const { body } = await put('/amber/auth/profile', token, { bio: '' });
    const profileSettings = { displayName: 'Ada', avatar: 'https://pbs.twimg.com/a.png', bio: '' };
    expect([body.profileSettings, body.user.profileSettings]).toEqual([profileSettings, profileSettings]);
    expect((await put('/amber/auth/profile', token, { avatar: '' })).body.profileSettings.avatar).toBeNull();
  });

  it('counts lengths in code points and refuses what is no profile', async () => {
    const { token } = await new TestWallet().signIn(api);
    expect(
      (await put('/amber/auth/profile', token, { displayName: '😀'.repeat(50), bio: '😀'.repeat(500) })).status,
    ).toBe(200);
    for (const wrong of [
      { displayName: 'x'.repeat(51) },
      { bio: 'x'.repeat(501) },
      { displayName: { $ne: null } },
      { avatar: 'javascript:alert(1)' },
      { displayName: '\ud800' },
      [],
    ]) {
      expect([wrong, (await put('/amber/auth/profile', token, wrong)).status]).toEqual([wrong, 400]);
    }
  });

  it('takes controls, turned text and piles of accents out of names, and leaves markup as the text it is', async () => {
    const { token } = await new TestWallet().signIn(api);
    const { body } = await put('/amber/auth/profile', token, {
      displayName: 'a\u202eb\u0000c\nd <b>',
      bio: `e${'\u0301'.repeat(20)}\nline`,
    });
    expect(body.profileSettings).toEqual({
      displayName: 'abc d <b>',
      avatar: null,
      bio: `e${'\u0301'.repeat(4)}\nline`,
    });
  });

  it('changes a profile by signature, once', async () => {
    const wallet = new TestWallet();
    const send = (body: object) => request(api.app).put('/amber/auth/profile/signature').send(body);
    const signed = wallet.signedProfile({ profileData: { displayName: 'Signed' }, timestamp: now });
    const { status, body } = await send(signed);
    expect([status, body.profileSettings.displayName]).toEqual([200, 'Signed']);
    expect((await send(signed)).body.code).toBe('message_replayed');
    const next = wallet.signedProfile({ profileData: { displayName: 'Next' }, timestamp: now + 1 });
    expect((await send({ ...next, profileData: { displayName: 'Changed' } })).status).toBe(400);
    expect((await send({ ...next, walletAddress: new TestWallet().address })).status).toBe(400);
    // A message that also names a reaction is refused.
    for (const other of [{ reactionType: 'heart' }, { archiveId: 'one' }]) {
      const message = JSON.stringify({ ...JSON.parse(next.message), ...other });
      expect((await send({ ...next, message, signature: wallet.sign(message) })).status).toBe(400);
    }
    expect((await send(next)).status).toBe(200);
  });

  it('keeps preferences, sent flat or nested', async () => {
    const { token } = await new TestWallet().signIn(api);
    expect((await put('/amber/auth/preferences', token, { theme: 'dark' })).body).toEqual({
      preferences: { notifications: true, theme: 'dark' },
    });
    expect((await put('/amber/auth/preferences', token, { preferences: { notifications: false } })).body).toEqual({
      preferences: { notifications: false, theme: 'dark' },
    });
    for (const wrong of [{ theme: 'blue' }, { notifications: 'yes' }, { preferences: 5 }]) {
      expect((await put('/amber/auth/preferences', token, wrong)).status).toBe(400);
    }
    expect((await put('/amber/auth/preferences', 'x', {})).status).toBe(401);
  });
});
