import { TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import bs58 from 'bs58';
import request from 'supertest';
import nacl from 'tweetnacl';
import { BUDGETS } from '../src/http/rate-limits.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const SECRET = 'a-secret-for-tests-of-more-than-32-bytes';
const ISSUER = 'https://archive.example';

describe('signing in with a wallet', () => {
  let api: TestApi;
  let now = Date.UTC(2026, 5, 1);

  beforeAll(async () => {
    api = await startTestApi({
      env: { PUBLIC_URL: ISSUER, JWT_SECRET: SECRET, RATE_LIMITS: 'off' },
      overrides: { now: () => now },
    });
  });

  afterAll(() => api.close());

  const post = (path: string, body: object | string) =>
    request(api.app)
      .post(path)
      .set('Content-Type', 'application/json')
      .send(body as object);
  const me = (token: string) => request(api.app).get('/amber/auth/me').set('Authorization', `Bearer ${token}`);
  const challenge = async (wallet: TestWallet) =>
    (await post('/amber/auth/challenge', { walletAddress: wallet.address })).body.challenge as string;
  const verify = (wallet: TestWallet, message: string, fields: object = {}) =>
    post('/amber/auth/verify', { walletAddress: wallet.address, message, signature: wallet.sign(message), ...fields });
  const sessions = () => api.context.database.db.collection('sessions').countDocuments();

  it('begins a session for the wallet that signs its challenge', async () => {
    const wallet = new TestWallet();
    const message = await challenge(wallet);
    expect(message).toMatch(
      new RegExp(
        `^archive\\.example wants you to sign in with your Solana account:\\n${wallet.address}\\n\\n.+\\n\\nURI: https://archive\\.example\\nVersion: 1\\nChain ID: localnet\\nNonce: [0-9a-f]{32}\\nIssued At: 2026-06-01T00:00:00\\.000Z\\nExpiration Time: 2026-06-01T00:05:00\\.000Z$`,
      ),
    );
    const { status, body } = await verify(wallet, message);
    expect(status).toBe(200);
    expect(body.user).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      walletAddress: wallet.address,
      profileSettings: { displayName: '', avatar: null, bio: '' },
      preferences: { notifications: true, theme: 'system' },
      activity: { interactions: [] },
      createdAt: expect.any(String),
    });
    expect((await me(body.token)).body).toEqual({ ...body.user, user: body.user, isOperator: false });
  });

  it('takes the one-prompt form, in which the wallet names itself', async () => {
    const wallet = new TestWallet();
    const { body } = await post('/solana-auth/challenge', {});
    const input = body.signIn;
    expect(input.address).toBeUndefined();
    const message = `${input.domain} wants you to sign in with your Solana account:\n${wallet.address}\n\n${input.statement}\n\nURI: ${input.uri}\nVersion: 1\nChain ID: ${input.chainId}\nNonce: ${input.nonce}\nIssued At: ${input.issuedAt}\nExpiration Time: ${input.expirationTime}`;
    const answer = await post('/solana-auth/verify', {
      walletAddress: wallet.address,
      message,
      signature: wallet.sign(message),
    });
    expect(answer.status).toBe(200);
    expect(
      (await request(api.app).get('/solana-auth/me').set('Authorization', `Bearer ${answer.body.token}`)).status,
    ).toBe(200);
  });

  it('takes the envelope of a hardware wallet and base64', async () => {
    const wallet = new TestWallet();
    const message = await challenge(wallet);
    const bytes = new TextEncoder().encode(message);
    const envelope = Uint8Array.of(
      0xff,
      ...new TextEncoder().encode('solana offchain'),
      0,
      1,
      bytes.length & 255,
      bytes.length >> 8,
      ...bytes,
    );
    const signature = Buffer.from(wallet.signBytes(envelope)).toString('base64');
    expect((await verify(wallet, message, { signature })).status).toBe(200);
  });

  it('refuses every other message and signature, and stores nothing', async () => {
    const wallet = new TestWallet();
    const other = new TestWallet();
    const fresh = () => challenge(wallet);
    const before = await sessions();
    const used = await fresh();
    await verify(wallet, used);
    const attacks: [string, () => Promise<request.Response>, number][] = [
      ['a used nonce', () => verify(wallet, used), 401],
      ["another wallet's nonce", async () => verify(other, await fresh()), 401],
      [
        "another wallet's nonce in our name",
        async () => verify(other, (await fresh()).replace(wallet.address, other.address)),
        401,
      ],
      ['a text that is not ours', () => verify(wallet, 'please sign'), 401],
      [
        'a made-up nonce',
        async () => verify(wallet, (await fresh()).replace(/Nonce: .*/, `Nonce: ${'0'.repeat(32)}`)),
        401,
      ],
      [
        'another domain',
        async () => verify(wallet, (await fresh()).replaceAll('archive.example', 'evil.example')),
        401,
      ],
      [
        'a second domain line',
        async () => verify(wallet, `evil.example wants you to sign in with your Solana account:\n${await fresh()}`),
        401,
      ],
      ['text behind', async () => verify(wallet, `${await fresh()}\n`), 401],
      ['another chain', async () => verify(wallet, (await fresh()).replace('localnet', 'devnet')), 401],
      ['a later expiry', async () => verify(wallet, (await fresh()).replace(/00:05:00/, '23:05:00')), 401],
      [
        'the wrong key',
        async () => {
          const text = await fresh();
          return verify(wallet, text, { signature: other.sign(text) });
        },
        401,
      ],
      [
        '63 bytes',
        async () => verify(wallet, await fresh(), { signature: bs58.encode(new Uint8Array(63).fill(9)) }),
        400,
      ],
      [
        '65 bytes',
        async () => verify(wallet, await fresh(), { signature: bs58.encode(new Uint8Array(65).fill(9)) }),
        400,
      ],
      ['no signature', async () => verify(wallet, await fresh(), { signature: undefined }), 400],
      ['an object for a wallet', async () => verify(wallet, await fresh(), { walletAddress: { $ne: null } }), 400],
      [
        'a small-order key',
        async () => verify(wallet, await fresh(), { walletAddress: '11111111111111111111111111111111' }),
        400,
      ],
      [
        'a challenge for a small-order key',
        () => post('/amber/auth/challenge', { walletAddress: '11111111111111111111111111111111' }),
        400,
      ],
      ['a challenge for no address', () => post('/amber/auth/challenge', { walletAddress: 'nobody' }), 400],
      ['a challenge for an object', () => post('/amber/auth/challenge', { walletAddress: { $ne: null } }), 400],
      ['a megabyte', () => verify(wallet, 'x'.repeat(1_000_000)), 413],
      ['a long text', () => verify(wallet, 'x'.repeat(50_000)), 400],
      ['broken JSON', () => post('/amber/auth/verify', '{"walletAddress":'), 400],
      ['a list', () => post('/amber/auth/verify', []), 400],
    ];
    for (const [name, attack, status] of attacks) {
      const answer = await attack();
      expect([name, answer.status, typeof answer.body.message]).toEqual([name, status, 'string']);
    }
    expect(await sessions()).toBe(before + 1);
  });

  it('refuses S plus the group order under a real challenge', async () => {
    const wallet = new TestWallet();
    const message = await challenge(wallet);
    const signature = wallet.signBytes(new TextEncoder().encode(message));
    let s = 2n ** 252n + 27742317777372353535851937790883648493n;
    for (let at = 63; at >= 32; at--) s += BigInt(signature[at] as number) << BigInt(8 * (at - 32));
    for (let at = 32; at < 64; at++, s >>= 8n) signature[at] = Number(s & 255n);
    expect((await verify(wallet, message, { signature: bs58.encode(signature) })).status).toBe(401);
  });

  it('lets a challenge live five minutes and a token a day', async () => {
    const wallet = new TestWallet();
    const age = (name: string, ms: number) =>
      api.context.database.db
        .collection(name)
        .updateMany({}, [{ $set: { expiresAt: { $subtract: ['$expiresAt', ms] } } }]);
    const late = await challenge(wallet);
    await age('challenges', 5 * 60_000);
    expect((await verify(wallet, late)).body.code).toBe('challenge_invalid');
    const { token } = await wallet.signIn(api);
    now += 24 * 60 * 60_000 - 1_000;
    expect((await me(token)).status).toBe(200);
    // The token has expired by its own time,
    now += 1_000;
    expect((await me(token)).status).toBe(401);
    now -= 2_000;
    expect((await me(token)).status).toBe(200);
    // and the session by the database's clock, which is known to some milliseconds.
    await age('sessions', 24 * 60 * 60_000 + 1_000);
    expect((await me(token)).status).toBe(401);
  });

  it('spends a challenge once, whoever races', async () => {
    for (let round = 0; round < 10; round++) {
      const wallet = new TestWallet();
      const message = await challenge(wallet);
      const answers = await Promise.all(Array.from({ length: 20 }, () => verify(wallet, message)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...new Array(19).fill(401)]);
    }
  });

  it('limits what the wallets of one address may change together', async () => {
    const limited = await startTestApi({ env: { JWT_SECRET: SECRET, TRUSTED_PROXIES: '1' } });
    const tokens = await Promise.all(
      Array.from({ length: 10 }, async () => (await new TestWallet().signIn(limited)).token),
    );
    const change = (token: string, from: string) =>
      request(limited.app)
        .put('/amber/auth/preferences')
        .set('Authorization', `Bearer ${token}`)
        .set('X-Forwarded-For', from)
        .send({ theme: 'dark' });
    let changes = 0;
    for (let round = 0; round < 4; round++) {
      const calls = tokens.flatMap((token) => Array.from({ length: 10 }, () => change(token, '203.0.113.7')));
      changes += (await Promise.all(calls)).filter(({ status }) => status === 200).length;
    }
    expect(changes).toBe(240);
    // The addresses of one IPv6 /64, which one customer has, share a budget.
    const others = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '203.0.113.8'];
    const left = [];
    for (const from of others) left.push((await change(tokens[0] as string, from)).status);
    expect(left).toEqual([200, 200, 200]);
    const counted = await limited.context.database.db
      .collection('rate_limits')
      .findOne({ key: 'session:2001:db8:1:2::/64' });
    expect(counted?.['points']).toBe(2);
    await limited.close();
  });

  it('limits what one network may react in a day, whoever signs in there, and nobody else for it', async () => {
    const limited = await startTestApi({ env: { JWT_SECRET: SECRET, TRUSTED_PROXIES: '1' } });
    await limited.add(newPost({ id: 'liked' }));
    const react = async (from: string) => {
      const { token } = await new TestWallet().signIn(limited);
      const answer = await request(limited.app)
        .post('/amber/reactions/liked')
        .set('Authorization', `Bearer ${token}`)
        .set('X-Forwarded-For', from)
        .send({ reactionType: 'heart' });
      return answer.status;
    };
    expect(await react('203.0.113.7')).toBe(200);
    const counters = limited.context.database.db.collection('rate_limits');
    await counters.updateOne({ key: /^reaction:/ }, { $set: { points: BUDGETS.reaction.points - 1 } });
    expect(await react('203.0.113.8')).toBe(200);
    expect([await react('203.0.113.9'), await react('203.0.114.7')]).toEqual([429, 200]);
    await limited.close();
  });

  it('limits how often a wallet may read all that it has done', async () => {
    const limited = await startTestApi({ env: { JWT_SECRET: SECRET } });
    const { token } = await new TestWallet().signIn(limited);
    const read = async (path: string) =>
      (await request(limited.app).get(path).set('Authorization', `Bearer ${token}`)).status;
    const half = Array.from({ length: BUDGETS.list.points / 2 }, () => ['/amber/reactions/user', '/amber/token/user']);
    const answers = await Promise.all([...half.flat(), '/amber/reactions/user'].map(read));
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
    await limited.close();
  });

  it('limits how often one address may ask, and says when to come again', async () => {
    const limited = await startTestApi({ env: { JWT_SECRET: SECRET } });
    const wallet = bs58.encode(nacl.sign.keyPair().publicKey);
    const answers = [];
    for (let i = 0; i < BUDGETS.challenge.points + 5; i++)
      answers.push(await request(limited.app).post('/amber/auth/challenge').send({ walletAddress: wallet }));
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused).toHaveLength(5);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused[0]?.headers['ratelimit-remaining']).toBe('0');
    expect(answers[0]?.headers['ratelimit-limit']).toBe(String(BUDGETS.challenge.points));
    // A forged header gives no new budget.
    const forged = await request(limited.app)
      .post('/amber/auth/challenge')
      .set('X-Forwarded-For', '203.0.113.9')
      .send({ walletAddress: wallet });
    expect(forged.status).toBe(429);
    await limited.close();
  });
});
