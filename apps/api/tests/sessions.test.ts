import { TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import jwt from 'jsonwebtoken';
import request from 'supertest';
import { startTestApi, type TestApi } from './_test-api.ts';

const SECRET = 'a-secret-for-tests-of-more-than-32-bytes';
const ISSUER = 'https://archive.example';

describe('sessions', () => {
  let api: TestApi;
  let now = Date.UTC(2026, 5, 1);

  beforeAll(async () => {
    api = await startTestApi({
      env: { PUBLIC_URL: ISSUER, JWT_SECRET: SECRET, RATE_LIMITS: 'off' },
      overrides: { now: () => now },
    });
  });

  afterAll(() => api.close());

  const me = (token: string) => request(api.app).get('/amber/auth/me').set('Authorization', `Bearer ${token}`);

  it('believes no token but its own living ones', async () => {
    const wallet = new TestWallet();
    const { token } = await wallet.signIn(api);
    const claims = jwt.decode(token) as jwt.JwtPayload;
    const header = JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString());
    expect(header).toEqual({ alg: 'HS256', typ: 'amber-session+jwt', kid: expect.stringMatching(/^[\w-]{11}$/) });
    const sign = (payload: object, secret = SECRET, options: jwt.SignOptions = {}) =>
      jwt.sign(payload, secret, {
        algorithm: 'HS256',
        ...options,
        header: { ...header, alg: options.algorithm ?? 'HS256', ...options.header },
      });
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${token.split('.')[1]}.`;
    const { exp: _exp, ...endless } = claims;
    const forged = [
      unsigned,
      sign(claims, 'another-secret-of-more-than-32-bytes!!!!'),
      sign(claims, SECRET, { algorithm: 'HS512' }),
      sign({ ...claims, iss: 'https://evil.example' }),
      sign({ ...claims, aud: 'https://evil.example' }),
      sign({ ...claims, sub: new TestWallet().address }),
      sign({ ...claims, jti: 'made-up' }),
      sign(endless),
      sign(claims, SECRET, { header: { typ: 'JWT' } as jwt.JwtHeader }),
      sign(claims, SECRET, { header: { typ: undefined } as unknown as jwt.JwtHeader }),
      sign(claims, SECRET, { header: { kid: undefined } as unknown as jwt.JwtHeader }),
      sign(claims, SECRET, { header: { kid: 'another' } as jwt.JwtHeader }),
      sign(claims, SECRET, { header: { kid: ['a'] } as unknown as jwt.JwtHeader }),
      sign(claims, SECRET, { header: { kid: '__proto__' } as jwt.JwtHeader }),
      jwt.sign(claims, SECRET, { algorithm: 'HS256' }),
      `${token}x`,
      token.slice(0, -2),
      'null',
    ];
    for (const one of forged) expect([one, (await me(one)).status]).toEqual([one, 401]);
    expect((await me(sign(claims))).status).toBe(200);
    expect((await request(api.app).get('/amber/auth/me')).headers['www-authenticate']).toBe('Bearer');
  });

  it('ends a session for good at logout, and only that one', async () => {
    const wallet = new TestWallet();
    const [one, two] = [await wallet.signIn(api), await wallet.signIn(api)];
    const out = await request(api.app).post('/amber/auth/logout').set('Authorization', `Bearer ${one.token}`);
    expect([out.status, (await me(one.token)).status, (await me(two.token)).status]).toEqual([204, 401, 200]);
  });

  it('ends every session of the wallet at once, in every process, and no other wallet’s', async () => {
    const other = await startTestApi({
      env: { PUBLIC_URL: ISSUER, JWT_SECRET: SECRET, RATE_LIMITS: 'off' },
      overrides: { now: () => now, databaseName: api.context.database.db.databaseName },
    });
    const wallet = new TestWallet();
    const stranger = await new TestWallet().signIn(api);
    const tokens = [];
    for (const one of [api, other, api]) tokens.push((await wallet.signIn(one)).token);
    const statuses = async (token: string) => {
      const call = (at: TestApi) => request(at.app).get('/amber/auth/me').set('Authorization', `Bearer ${token}`);
      return [(await call(api)).status, (await call(other)).status];
    };
    for (const token of tokens) expect(await statuses(token)).toEqual([200, 200]);
    const outEverywhere = (token: string) =>
      request(api.app).post('/amber/auth/logout/everywhere').set('Authorization', `Bearer ${token}`);
    expect((await outEverywhere('x')).status).toBe(401);
    expect((await outEverywhere(tokens[0] as string)).status).toBe(204);
    for (const token of tokens) expect(await statuses(token)).toEqual([401, 401]);
    expect(await statuses(stranger.token)).toEqual([200, 200]);
    expect((await outEverywhere(tokens[0] as string)).status).toBe(401);
    expect(await statuses((await wallet.signIn(other)).token)).toEqual([200, 200]);
    await other.close({ keepDatabase: true });
  });

  it('believes tokens of the secret before while it is named, and signs none with it', async () => {
    const next = 'the-next-secret-for-tests-of-more-than-32-bytes';
    const databaseName = api.context.database.db.databaseName;
    const start = (secrets: Record<string, string>) =>
      startTestApi({
        env: { PUBLIC_URL: ISSUER, RATE_LIMITS: 'off', ...secrets },
        overrides: { now: () => now, databaseName },
      });
    const wallet = new TestWallet();
    const { token: before } = await wallet.signIn(api);
    const rolled = await start({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: SECRET });
    const status = async (at: TestApi, token: string) =>
      (await request(at.app).get('/amber/auth/me').set('Authorization', `Bearer ${token}`)).status;
    expect(await status(rolled, before)).toBe(200);
    const { token: after } = await wallet.signIn(rolled);
    const done = await start({ JWT_SECRET: next });
    expect([await status(done, after), await status(done, before), await status(api, after)]).toEqual([200, 401, 401]);
    // Each key verifies only tokens that name it.
    const mixed = jwt.sign(jwt.decode(after) as object, SECRET, {
      header: { ...(jwt.decode(after, { complete: true }) as jwt.Jwt).header },
    });
    expect(await status(rolled, mixed)).toBe(401);
    await rolled.close({ keepDatabase: true });
    await done.close({ keepDatabase: true });
  });

  it('says who is signed in without writing anything', async () => {
    const wallet = new TestWallet();
    const { token, user } = await wallet.signIn(api);
    const users = api.context.database.db.collection('users');
    const before = await users.findOne({ walletAddress: wallet.address });
    now += 1_000;
    expect((await me(token)).body.user).toEqual(user);
    expect(await users.findOne({ walletAddress: wallet.address })).toEqual(before);
    await users.deleteOne({ walletAddress: wallet.address });
    expect((await me(token)).body.walletAddress).toBe(wallet.address);
  });
});
