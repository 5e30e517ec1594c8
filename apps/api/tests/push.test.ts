import { createPublicKey } from 'node:crypto';
import { NOTICE_KINDS, PUSH_BROWSERS, PUSH_HOURS, type PushMessage } from '@archive/contracts';
import { TestWallet } from '@archive/testing';
import { BrowserKeys, PushEndpoint } from '@archive/testing/push';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { ObjectId } from 'mongodb';
import request from 'supertest';
import { runUntilEmpty } from '../src/background/loop.ts';
import type { Context } from '../src/context.ts';
import { PushFinder } from '../src/notices/push-finder.ts';
import { PushSender } from '../src/notices/push-sender.ts';
import { newPushKeys } from '../src/push-keys.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const keys = newPushKeys();
const env = { RATE_LIMITS: 'off', VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: keys.privateKey };
const DAY_MS = 24 * 3_600_000;

describe('what is pushed to a browser', () => {
  let service: PushEndpoint;
  let second: PushEndpoint;
  let api: TestApi;
  let token: string;
  let address: string;
  let browser: BrowserKeys;
  let endpoint: string;
  let worker: ReturnType<typeof workerOf>;
  let aheadMs = 0;
  let serial = 0;
  let posts = 0;

  beforeAll(async () => {
    [service, second] = await Promise.all([PushEndpoint.open(), PushEndpoint.open()]);
    const local = `${service.host},${second.host}`;
    api = await startTestApi({ env: { ...env, SOURCE_LOCAL_HOSTS: local } });
    worker = workerOf(api.context);
    await api.add(newPost({ content: 'the first ferry' }));
  });

  // Each test has its own wallet and browser.
  beforeEach(async () => {
    aheadMs = 0;
    service.pushed.length = 0;
    service.answer = (_request, response) => void response.writeHead(201).end();
    const wallet = new TestWallet();
    address = wallet.address;
    token = (await wallet.signIn(api)).token;
    browser = new BrowserKeys();
    endpoint = `http://${service.host}/send/${serial++}`;
  });

  afterAll(async () => {
    await api?.close();
    await service?.close();
    await second?.close();
  });

  type Method = 'get' | 'post' | 'put' | 'delete';
  const call = (method: Method, path: string, body?: object, session: string | null = token) => {
    const one = request(api.app)[method](`/amber${path}`);
    if (session) one.set('Authorization', `Bearer ${session}`);
    return body ? one.send(body) : one;
  };
  const subscribe = (more: object = {}) =>
    call('put', '/notices/browsers', { endpoint, keys: browser.keys, expirationTime: null, ...more });
  const follow = async (search: string, name = search) =>
    (await call('post', '/searches', { query: `search=${search}`, name })).body as { _id: string };
  /** A worker whose clock the test moves; other clocks run on. */
  const workerOf = (context: Context) => {
    const needs = { ...context, pushes: context.notices.pushes, now: () => context.now() + aheadMs };
    const [finder, sender] = [new PushFinder(needs, keys), new PushSender(needs, keys)];
    const look = async () => {
      await finder.look();
      await runUntilEmpty(sender);
    };
    return { finder, sender, look };
  };
  const look = () => worker.look();
  const mine = () => service.pushed.filter(({ path }) => endpoint.endsWith(path));
  const opened = async () => {
    const messages: PushMessage[] = [];
    for (const { body } of mine()) messages.push(JSON.parse(await browser.open(body)));
    return messages;
  };
  const settings = async () => (await call('get', '/notices/settings')).body;
  const word = () => `word${serial}`;
  // Equal words by one author would be one post.
  const words = () => `${word()} and ${posts++}`;

  it('decrypts to what was meant, is signed with our key, and comes once', async () => {
    const search = await follow(word(), 'Night ferry');
    expect((await subscribe()).status).toBe(200);
    await look();
    expect(mine()).toEqual([]);
    await api.add(newPost({ content: `${word()} one` }), newPost({ content: `${word()} two` }));
    await look();
    await look();
    expect(await opened()).toEqual([
      {
        title: 'Amber',
        body: '2 new posts in “Night ferry”',
        url: `/?search=${word()}&sortBy=saved`,
        tag: `search-${search._id}`,
      },
    ]);
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = mine();
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(body.length).toBeLessThan(4_096);
    expect(body.toString('latin1')).not.toContain('ferry');
    const [, signed = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    expect(key).toBe(keys.publicKey);
    const point = Buffer.from(keys.publicKey, 'base64url');
    const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url') };
    const publicKey = createPublicKey({ key: { ...jwk, y: point.subarray(33).toString('base64url') }, format: 'jwk' });
    const claims = jwt.verify(signed, publicKey, { algorithms: ['ES256'], audience: `http://${service.host}` });
    expect(claims).toMatchObject({ sub: 'http://localhost:4000', exp: expect.any(Number) });
  });

  it('tells of one search again only once it has been looked at', async () => {
    const search = await follow(word());
    await subscribe();
    await api.add(newPost({ content: words() }));
    await look();
    await api.add(newPost({ content: words() }));
    await look();
    expect(await opened()).toHaveLength(1);
    await call('put', `/searches/${search._id}`, { seen: true });
    await api.add(newPost({ content: words() }));
    await look();
    expect(await opened()).toMatchObject([{}, { body: expect.stringMatching(/^1 new post in/) }]);
    await call('put', '/notices/read');
    await api.add(newPost({ content: words() }));
    await look();
    expect(await opened()).toHaveLength(3);
  });

  it('is nothing that came before it was asked for, or has been read in the page', async () => {
    await follow(word());
    await api.add(newPost({ content: words() }));
    await subscribe();
    await look();
    await api.add(newPost({ content: words() }));
    await call('put', '/notices/read');
    await look();
    expect(mine()).toEqual([]);
  });

  it('is what the person wants, in the page and by push', async () => {
    expect((await call('get', '/config')).body.pushKey).toBe(keys.publicKey);
    expect(await settings()).toEqual({
      page: NOTICE_KINDS,
      push: NOTICE_KINDS,
      browsers: [],
    });
    const { _id } = (await subscribe()).body;
    await follow(word());
    expect((await call('put', '/notices/settings', { push: ['token', 'save'] })).body).toEqual({
      page: NOTICE_KINDS,
      push: ['save', 'token'],
      browsers: [_id],
    });
    await api.add(newPost({ content: words() }));
    await look();
    expect(mine()).toEqual([]);
    expect((await call('get', '/notices')).body.unread).toBe(1);
    await call('put', '/notices/settings', { page: [], push: ['search'] });
    await api.add(newPost({ content: words() }));
    await look();
    expect(await opened()).toHaveLength(1);
    expect((await call('get', '/notices')).body).toEqual({ data: [], unread: 0 });
    for (const wrong of [{ push: ['reactions'] }, { page: 'search' }, { push: Array(9).fill('search') }, 'none'])
      expect((await call('put', '/notices/settings', wrong as object)).status).toBe(400);
  });

  it('ends with the session, with all sessions, and where notices are turned off', async () => {
    await follow(word());
    const again = async () => {
      await subscribe();
      expect((await settings()).browsers).toHaveLength(1);
    };
    await again();
    await call('put', '/auth/preferences', { notifications: false });
    expect((await settings()).browsers).toEqual([]);
    await call('put', '/auth/preferences', { notifications: true });
    await again();
    await api.add(newPost({ content: words() }));
    await call('post', '/auth/logout');
    await look();
    expect(mine()).toEqual([]);
    expect(await api.context.accounts.browsers.of(address)).toEqual([]);
  });

  it('is dropped where the wallet has signed out while it waited', async () => {
    await follow(word());
    await subscribe();
    service.answer = (_request, response) => void response.writeHead(503).end();
    await api.add(newPost({ content: words() }));
    await look();
    expect(mine()).toHaveLength(1);
    await call('post', '/auth/logout/everywhere');
    aheadMs += 10 * 60_000;
    await look();
    expect(mine()).toHaveLength(1);
    expect(await api.context.database.db.collection('pushes').countDocuments({ wallet: address })).toBe(0);
  });

  it('is tried again when the push service cannot take it, later each time, and then no more', async () => {
    await follow(word());
    await subscribe();
    service.answer = (_request, response) => void response.writeHead(503).end();
    await api.add(newPost({ content: words() }));
    await look();
    for (const [at, minutes] of [1, 5, 30, 120].entries()) {
      aheadMs += (minutes - 0.5) * 60_000;
      await look();
      expect(mine()).toHaveLength(at + 1);
      aheadMs += 60_000;
      await look();
      expect(mine()).toHaveLength(at + 2);
    }
    aheadMs += DAY_MS;
    service.answer = (_request, response) => void response.writeHead(201).end();
    await look();
    expect(mine()).toHaveLength(5);
  });

  it('waits as long as the push service asks for, within reason', async () => {
    await follow(word());
    await subscribe();
    service.answer = (_request, response) => void response.writeHead(429, { 'Retry-After': '1200' }).end();
    await api.add(newPost({ content: words() }));
    await look();
    service.answer = (_request, response) => void response.writeHead(201).end();
    aheadMs += 19 * 60_000;
    await look();
    expect(mine()).toHaveLength(1);
    aheadMs += 2 * 60_000;
    await look();
    expect(mine()).toHaveLength(2);
  });

  it('waits for no other wallet, however many browsers that never answer it has', async () => {
    const held: { end(): void }[] = [];
    const asked: string[] = [];
    const attacker = new TestWallet();
    const own = (await attacker.signIn(api)).token;
    for (let at = 0; at < PUSH_BROWSERS; at++)
      await call('put', '/notices/browsers', { endpoint: `${endpoint}/held/${at}`, keys: new BrowserKeys().keys }, own);
    for (let at = 0; at < 5; at++)
      await call('post', '/searches', { query: `search=${word()}`, name: `Search ${at}` }, own);
    await follow(word());
    await subscribe();
    let isHeld = true;
    service.answer = ({ url = '' }, response) => {
      const end = () => void response.writeHead(503).end();
      if (!url.includes('/held/')) return void response.writeHead(201).end();
      asked.push(url);
      if (isHeld) held.push({ end });
      else end();
    };
    await api.add(newPost({ content: words() }));
    const round = look();
    await until(async () => (service.pushed.some(({ path }) => endpoint.endsWith(path)) ? true : null));
    expect(asked).toHaveLength(1);
    isHeld = false;
    for (const one of held) one.end();
    await round;
    // Each browser once: its first refused message delays its others.
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
    expect(asked).toHaveLength(PUSH_BROWSERS);
    await call('put', '/notices/read', undefined, own);
    await api.add(newPost({ content: words() }));
    await look();
    expect(asked).toHaveLength(PUSH_BROWSERS);
  });

  it('is sent while another waits for its answer', async () => {
    const { finder, sender } = workerOf(api.context);
    const held: { end(): void }[] = [];
    service.answer = ({ url = '' }, response) => {
      if (url.endsWith('/held')) held.push({ end: () => void response.writeHead(201).end() });
      else response.writeHead(201).end();
    };
    const attacker = (await new TestWallet().signIn(api)).token;
    const silent = { endpoint: `${endpoint}/held`, keys: new BrowserKeys().keys };
    await call('put', '/notices/browsers', silent, attacker);
    await call('post', '/searches', { query: `search=${word()}`, name: 'Silent' }, attacker);
    await api.add(newPost({ content: words() }));
    await finder.look();
    sender.start();
    await until(async () => (held.length > 0 ? true : null));
    // Found while the sender is busy.
    await follow(word());
    await subscribe();
    await api.add(newPost({ content: words() }));
    await finder.look();
    await until(async () => (mine().length > 0 ? true : null));
    for (const one of held) one.end();
    await sender.stop();
  });

  it('leaves half of the places to browsers that took their last message', async () => {
    const held: { end(): void }[] = [];
    let isHeld = true;
    service.answer = ({ url = '' }, response) => {
      const end = () => void response.writeHead(201).end();
      if (isHeld && url.endsWith('/held')) held.push({ end });
      else end();
    };
    const { browsers } = api.context.accounts;
    const at = new Date();
    const message: PushMessage = { title: 'Amber', body: 'b', url: '/', tag: 't' };
    const one = async (name: string, host = '') => {
      const given = { wallet: name, session: name, endpoint: `http://${host}/send/${name}/held` };
      const browser = await browsers.keep({ ...given, ...new BrowserKeys().keys, key: keys.publicKey, since: at });
      const row = { browser: browser ?? '', wallet: name, message };
      return { id: row.browser, add: (notice: string) => api.context.notices.pushes.add([{ ...row, notice }], at) };
    };
    second.answer = service.answer;
    const hosts = [service.host, second.host];
    const honest = await one('honest', service.host);
    isHeld = false;
    // A slow machine may accept a message too late to prove the browser, so repeat.
    await until(async () => {
      await honest.add(`before ${service.pushed.length}`);
      await runUntilEmpty(worker.sender);
      return (await browsers.find(honest.id))?.isProven;
    });
    isHeld = true;
    service.pushed.length = 0;
    const silent = await Promise.all(Array.from({ length: 70 }, (_, n) => one(`silent${n}`, hosts[n % 2])));
    for (const each of silent) await each.add('first');
    const round = worker.sender.look();
    await until(async () => (held.length >= 32 ? true : null));
    await honest.add('second');
    const beside = worker.sender.look();
    await until(async () => (service.pushed.some(({ path }) => path.includes('honest')) ? true : null));
    expect(held).toHaveLength(33);
    isHeld = false;
    for (const each of held) each.end();
    await Promise.all([round, beside]);
    for (const { id } of [honest, ...silent]) await browsers.drop(id, (await browsers.find(id))?.wallet ?? '');
  });

  it.each([404, 410])('is the last one where the push service answers %d', async (status) => {
    await follow(word());
    await subscribe();
    service.answer = (_request, response) => void response.writeHead(status).end();
    await api.add(newPost({ content: words() }));
    await look();
    expect((await settings()).browsers).toEqual([]);
  });

  it('is sent by one process, and after a restart from where it was', async () => {
    await follow(word());
    await subscribe();
    service.answer = (_request, response) => void response.writeHead(500).end();
    await api.add(newPost({ content: words() }));
    await look();
    service.answer = (_request, response) => void response.writeHead(201).end();
    aheadMs += 2 * 60_000;
    const databaseName = api.context.database.db.databaseName;
    const other = await startTestApi({
      env: { ...env, SOURCE_LOCAL_HOSTS: service.host },
      overrides: { databaseName },
    });
    await Promise.all([look(), workerOf(other.context).look()]);
    await other.close({ keepDatabase: true });
    expect(await opened()).toHaveLength(2);
  });

  it('goes to a few browsers of a wallet, and to one wallet of a browser', async () => {
    const subscribeAs = (name: string) => subscribe({ endpoint: `${endpoint}/${name}` });
    const many = await Promise.all(Array.from({ length: PUSH_BROWSERS + 5 }, (_, at) => subscribeAs(`at once ${at}`)));
    const kept = many.filter(({ status }) => status === 200).map(({ body }) => body._id);
    expect(new Set((await settings()).browsers)).toEqual(new Set(kept));
    for (let count = kept.length; count < PUSH_BROWSERS; count++)
      expect((await subscribeAs(`alone ${count}`)).status).toBe(200);
    expect((await subscribeAs('too many')).status).toBe(409);
    expect((await settings()).browsers).toHaveLength(PUSH_BROWSERS);
    for (const _id of (await settings()).browsers) await call('delete', `/notices/browsers/${_id}`);
    expect((await settings()).browsers).toEqual([]);
    const { _id } = (await subscribe()).body;
    const other = (await new TestWallet().signIn(api)).token;
    await call('delete', `/notices/browsers/${_id}`, undefined, other);
    expect((await settings()).browsers).toEqual([_id]);
    await call('put', '/notices/browsers', { endpoint, keys: browser.keys }, other);
    expect((await settings()).browsers).toEqual([]);
    expect((await call('put', '/notices/browsers', { endpoint, keys: browser.keys }, null)).status).toBe(401);
  });

  it('never goes to those subscribed under an older key, which do not count either', async () => {
    const browsers = api.context.database.db.collection('browsers');
    const pushed = () =>
      service.pushed.filter(({ path }) => `http://${service.host}${path}`.startsWith(`${endpoint}/`));
    for (let count = 0; count < PUSH_BROWSERS; count++)
      expect((await subscribe({ endpoint: `${endpoint}/${count}` })).status).toBe(200);
    await browsers.updateMany({ wallet: address }, { $set: { key: 'an older one' } });
    const { status, body } = await subscribe({ endpoint: `${endpoint}/now` });
    expect([status, (await settings()).browsers]).toEqual([200, [body._id]]);
    await follow(word());
    service.answer = (_request, response) => void response.writeHead(503).end();
    await api.add(newPost({ content: words() }));
    await look();
    expect(pushed()).toHaveLength(1);
    // The browser subscribed under an older key, and its message waits.
    await browsers.updateOne({ wallet: address }, { $set: { key: 'an older one' } });
    aheadMs += 10 * 60_000;
    await look();
    expect(pushed()).toHaveLength(1);
    expect(await api.context.database.db.collection('pushes').countDocuments({ wallet: address })).toBe(0);
  });

  it('is neither found nor sent once it is older than PUSH_HOURS', async () => {
    await follow(word());
    const { _id } = (await subscribe()).body;
    service.answer = (_request, response) => void response.writeHead(503).end();
    await api.add(newPost({ content: words() }));
    await look();
    expect(mine()).toHaveLength(1);
    aheadMs += PUSH_HOURS * 3_600_000 + 60_000;
    service.answer = (_request, response) => void response.writeHead(201).end();
    await look();
    expect(mine()).toHaveLength(1);
    const { database, posts } = api.context;
    const longAgo = { since: new Date(0), lookedAt: new Date(0) };
    await database.db.collection('browsers').updateOne({ _id }, { $set: longAgo, $unset: { awayUntil: '' } });
    await database.db.collection('users').updateOne({ walletAddress: address }, { $set: { createdAt: new Date(0) } });
    const token = (at: string, hours: number) => ({
      _id: new ObjectId(),
      ...{ claim: `${at} ${address}`, mint: `${at} ${address}`, wallet: address, state: 'confirmed' },
      ...{ name: at, symbol: at, confirmedAt: new Date(posts.store.now().getTime() - hours * 3_600_000) },
    });
    const launched = [token('LATE', PUSH_HOURS + 1), token('SOON', PUSH_HOURS - 1)];
    const launches = database.db.collection('launches');
    await launches.insertMany(launched);
    await look();
    await launches.deleteMany({ _id: { $in: launched.map(({ _id }) => _id) } });
    expect((await opened()).slice(1).map(({ body }) => body)).toEqual([expect.stringContaining('SOON')]);
  });

  it('is refused an endpoint that is none, or lies where nobody is to be asked', async () => {
    const places = [
      'http://push.example/send',
      'https://push.example:8443/send',
      'https://127.0.0.1/send',
      'https://[::1]/send',
      'https://2130706433/send',
      'https://localhost/send',
      'https://metadata/send',
      'https://user:secret@push.example/send',
      'http://127.0.0.1:1/send',
      'ftp://push.example/send',
      'push.example',
      '',
      `https://push.example/${'x'.repeat(3_000)}`,
    ];
    for (const place of places) {
      const { status } = await subscribe({ endpoint: place });
      expect([place.slice(0, 50), status]).toEqual([place.slice(0, 50), 400]);
    }
    const { p256dh, auth } = browser.keys;
    const wrong = [
      { p256dh, auth: 'short' },
      { p256dh: auth, auth },
      // A point that is not on the curve.
      { p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url'), auth },
      { p256dh: `${p256dh}=`, auth: 7 },
      {},
    ];
    for (const keys of wrong) expect((await subscribe({ keys })).status).toBe(400);
    expect((await settings()).browsers).toEqual([]);
    expect((await subscribe({ endpoint: 'https://push.example/send' })).status).toBe(200);
  });
});

it('nothing is offered where the server has no keys', async () => {
  const api = await startTestApi({ env: { RATE_LIMITS: 'off' } });
  const { token } = await new TestWallet().signIn(api);
  const own = { Authorization: `Bearer ${token}` };
  const { body } = await request(api.app).get('/amber/notices/settings').set(own);
  expect(body).toMatchObject({ browsers: [] });
  expect((await request(api.app).get('/amber/config')).body.pushKey).toBeNull();
  const given = { endpoint: 'https://push.example/send', keys: new BrowserKeys().keys };
  const refused = await request(api.app).put('/amber/notices/browsers').set(own).send(given);
  expect([refused.status, refused.body.code]).toEqual([503, 'push_unavailable']);
  await api.close();
});
