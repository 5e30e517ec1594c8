import { ENDPOINTS, type EndpointName } from '@archive/contracts';
import { TestWallet } from '@archive/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { replayLedger } from '../src/backup/replay-ledger.ts';
import { addOptOut, removeOptOut } from '../src/cli/opt-outs.ts';
import { ledgerFolder } from '../src/ledger/ledger.ts';
import { readLedger } from '../src/ledger/read-ledger.ts';
import { createOperators } from '../src/operators/operators.ts';
import { ROUTES } from '../src/routes.ts';
import { startTestApi, type TestApi } from './_test-api.ts';

const OPERATORS = (Object.keys(ENDPOINTS) as EndpointName[]).flatMap((name) => {
  const route = ROUTES[name];
  return route.access === 'operator' ? [{ name, role: route.role, isFresh: route.isFresh === true }] : [];
});
const OTHER = 'So11111111111111111111111111111111111111112';

describe('operators', () => {
  let api: TestApi;
  const admin = new TestWallet();
  const moderator = new TestWallet();
  const stranger = new TestWallet();
  const tokens = { admin: '', moderator: '', stranger: '' };

  beforeAll(async () => {
    api = await startTestApi({ env: { ADMIN_WALLETS: admin.address, RATE_LIMITS: 'off' } });
    tokens.admin = (await admin.signIn(api)).token;
    tokens.moderator = (await moderator.signIn(api)).token;
    tokens.stranger = (await stranger.signIn(api)).token;
    await api.context.operators.store.make(moderator.address, 'test');
  });

  afterAll(() => api.close());

  const call = (method: string, path: string, token?: string, body?: object) => {
    const asked = request(api.app)[method.toLowerCase() as 'get'](path);
    if (token) asked.set('Authorization', `Bearer ${token}`);
    return body ? asked.send(body) : asked;
  };
  /** An answer without the fields that differ in every answer. */
  const told = ({ status, headers, body }: request.Response) => {
    const { 'x-request-id': _id, date: _date, ...rest } = headers;
    return { status, headers: rest, body: { ...body, requestId: null } };
  };

  it('have the log gone through again after a minute, and not before', async () => {
    const { config, database } = api.context;
    let at = Date.now();
    const clock = { now: () => new Date(at) };
    const { checkLog } = createOperators({ config, database: { ...database, db: database.db, clock } as never });
    const first = (await checkLog()).checkedAt;
    at += 59_000;
    expect((await checkLog()).checkedAt).toBe(first);
    at += 2_000;
    expect((await checkLog()).checkedAt).toBe(new Date(at).toISOString());
  });

  it('has calls to be looked at', () => expect(OPERATORS.length).toBeGreaterThan(5));

  describe.each(OPERATORS)('$name', ({ name, role }) => {
    const { method, path } = ENDPOINTS[name];
    const target = path.replace(/:\w+/g, OTHER);
    const nowhere = '/amber/admin/nothing/at/all';

    const callers: [string, () => string | undefined][] = [
      ['nobody', () => undefined],
      ['a made-up token', () => 'nothing'],
      ['another wallet', () => tokens.stranger],
      ...(role === 'admin' ? [['a moderator', () => tokens.moderator] as [string, () => string]] : []),
    ];

    it.each(callers)('is answered as an unknown address to %s, whatever is sent', async (_who, token) => {
      for (const body of [undefined, {}, { reason: 1 }]) {
        const right = await call(method, nowhere, token(), body);
        expect(right.status).toBe(404);
        expect(told(await call(method, target, token(), body))).toEqual(told(right));
      }
      const unread = (address: string) => address.replace(OTHER, '%ZZ');
      expect(told(await call(method, unread(target), token()))).toEqual(
        told(await call(method, `${nowhere}/%ZZ`, token())),
      );
      for (const other of ['HEAD', 'OPTIONS', 'PATCH'])
        expect(told(await call(other, target, token()))).toEqual(told(await call(other, nowhere, token())));
    });

    it('is no unknown address to who may call it', async () => {
      const answer = await call(method, target, role === 'admin' ? tokens.admin : tokens.moderator, {});
      expect(answer.body.message).not.toBe('There is nothing at this address.');
    });
  });

  it('stand in no description that others read', async () => {
    expect(JSON.stringify((await call('GET', '/openapi.json')).body)).not.toMatch(/admin/);
  });

  it('says who is signed in, and what may', async () => {
    expect((await call('GET', '/amber/admin/me', tokens.admin)).body).toMatchObject({ role: 'admin' });
    expect((await call('GET', '/amber/admin/me', tokens.moderator)).body).toMatchObject({ role: 'moderator' });
    const isOperator = async (token: string) => (await call('GET', '/amber/auth/me', token)).body.isOperator;
    expect(await isOperator(tokens.moderator)).toBe(true);
    expect(await isOperator(tokens.stranger)).toBe(false);
    const refusal = async (token?: string) => (await call('GET', '/amber/auth/me', token)).body.message;
    expect([await refusal('not-a-token'), await refusal()]).toEqual([
      'This session or agent key is unknown or has ended.',
      'Please sign in.',
    ]);
  });

  it('makes a moderator and ends it from the next call on, whatever session lives', async () => {
    const path = `/amber/admin/operators/${stranger.address}`;
    expect((await call('GET', '/amber/admin/me', tokens.stranger)).status).toBe(404);
    const made = await call('PUT', path, tokens.admin, { reason: 'helps out' });
    expect([made.status, made.body.madeBy]).toEqual([200, admin.address]);
    expect((await call('GET', '/amber/admin/me', tokens.stranger)).status).toBe(200);
    expect((await call('PUT', `/amber/admin/operators/${OTHER}`, tokens.stranger, {})).status).toBe(404);
    expect((await call('DELETE', `${path}?reason=left`, tokens.admin)).status).toBe(204);
    expect((await call('GET', '/amber/admin/me', tokens.stranger)).status).toBe(404);
    const { body } = await call('GET', `/amber/admin/log?subject=${stranger.address}`, tokens.admin);
    expect(body.data).toMatchObject([
      {
        act: 'unmake moderator',
        actor: { kind: 'wallet', id: admin.address },
        before: { role: 'moderator' },
        reason: 'left',
      },
      { act: 'make moderator', after: { role: 'moderator' }, reason: 'helps out', requestId: expect.any(String) },
      { act: 'sign in' },
    ]);
  });

  it('makes nobody a moderator again by a restore of a backup of before, but for who was made one since', async () => {
    const path = `/amber/admin/operators/${stranger.address}`;
    const { store } = api.context.operators;
    const operators = api.context.database.db.collection<{ _id: string }>('operators');
    await call('PUT', path, tokens.admin, {});
    const backedUp = await operators.findOne({ _id: stranger.address });
    await call('DELETE', path, tokens.admin);
    await operators.insertOne(backedUp as { _id: string });
    const { entries = [] } = (await readLedger(ledgerFolder(api.context.config.dataDir))) ?? {};
    await replayLedger(api.context, entries);
    expect(await store.find(stranger.address)).toBeNull();
    await call('PUT', path, tokens.admin, {});
    await replayLedger(api.context, entries);
    expect(await store.find(stranger.address)).not.toBeNull();
    await call('DELETE', path, tokens.admin);
  });

  it('refuses to make or unmake an admin, and what is no wallet', async () => {
    for (const method of ['PUT', 'DELETE']) {
      const answer = await call(method, `/amber/admin/operators/${admin.address}`, tokens.admin, {});
      expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'wallet']);
    }
    expect((await call('PUT', '/amber/admin/operators/nobody', tokens.admin, {})).status).toBe(400);
  });

  it('wants a sign-in of the last minutes for what cannot be undone, of operators alone', async () => {
    const old = (await admin.signIn(api)).token;
    const sessions = api.context.database.db.collection<{ _id: string }>('sessions');
    const longAgo = new Date(Date.now() - 16 * 60_000);
    const [latest] = await sessions.find({ walletAddress: admin.address }).sort({ createdAt: -1 }).limit(1).toArray();
    const path = `/amber/admin/operators/${OTHER}`;
    const lately = new Date(Date.now() - 14 * 60_000);
    await sessions.updateOne({ _id: latest?._id ?? '' }, { $set: { createdAt: lately } });
    const { body } = await call('GET', '/amber/admin/me', old);
    expect(body.freshUntil).toBe(new Date(lately.getTime() + 15 * 60_000).toISOString());
    expect([(await call('PUT', path, old, {})).status, (await call('DELETE', path, old)).status]).toEqual([200, 204]);
    await sessions.updateOne({ _id: latest?._id ?? '' }, { $set: { createdAt: longAgo } });
    const refused = await call('PUT', path, old, {});
    expect([refused.status, refused.body.code]).toEqual([403, 'sign_in_again']);
    expect((await call('GET', '/amber/admin/me', old)).status).toBe(200);
    await sessions.updateOne({ _id: latest?._id ?? '' }, { $unset: { createdAt: '' } });
    expect((await call('PUT', path, old, {})).body.code).toBe('sign_in_again');
    expect(await api.context.operators.roleOf(OTHER)).toBe(null);
  });

  it('tells of authors whom the command line opts out of launches, and in again', async () => {
    const { context } = api;
    await addOptOut(context, '@Somebody');
    await addOptOut(context, 'somebody');
    await removeOptOut(context, 'somebody');
    const { body } = await call('GET', '/amber/admin/log?subject=author', tokens.admin);
    const actor = { kind: 'command line' };
    expect(body.data).toMatchObject([
      { act: 'opt in', actor, subject: { id: 'somebody' }, before: { isOptedOut: true }, after: { isOptedOut: false } },
      {
        act: 'opt out',
        actor,
        subject: { id: 'Somebody' },
        before: { isOptedOut: false },
        after: { isOptedOut: true },
      },
    ]);
  });

  it('does nothing where it cannot be recorded', async () => {
    const { store } = api.context.audit;
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('the disk is full'));
    const refused = await call('PUT', `/amber/admin/operators/${OTHER}`, tokens.admin, {});
    store.append = append;
    expect([refused.status, refused.body.code]).toEqual([503, 'audit_unavailable']);
    expect(await api.context.operators.roleOf(OTHER)).toBe(null);
  });

  it('gives the log out with its marks, a line each', async () => {
    const { text, headers } = await call('GET', '/amber/admin/log/export?act=make+moderator', tokens.admin).buffer(
      true,
    );
    expect(headers['content-type']).toMatch(/ndjson/);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ seq: expect.any(Number), act: 'make moderator', mark: expect.any(String) });
  });

  it('pages through the log without a gap', async () => {
    for (let at = 0; at < 120; at++) {
      await api.context.audit.record({
        actor: { kind: 'system' },
        act: 'page',
        subject: { kind: 'test', id: `${at}` },
      });
    }
    const seen: string[] = [];
    let next = '';
    do {
      const { body } = await call('GET', `/amber/admin/log?act=page${next && `&before=${next}`}`, tokens.admin);
      seen.push(...body.data.map(({ subject }: { subject: { id: string } }) => subject.id));
      next = body.next ?? '';
    } while (next);
    expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => String(119 - at)));
  });

  it('counts who tries to be somebody else, without the address', async () => {
    await call('POST', '/amber/collections', 'a-made-up-token', { name: 'x' });
    await api.context.audit.giveCounts();
    const counts = await api.context.database.db.collection('audit_counts').find().toArray();
    expect(counts).toMatchObject([{ act: 'refuse identity', count: expect.any(Number) }]);
    expect(JSON.stringify(counts)).not.toMatch(/127\.0|::1/);
  });
});
