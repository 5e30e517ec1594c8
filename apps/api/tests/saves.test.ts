import { randomBytes } from 'node:crypto';
import { SAVES_PER_DAY, SAVES_PER_MINUTE, type Save, type SavePage } from '@archive/contracts';
import { TestWallet } from '@archive/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient, ObjectId } from 'mongodb';
import request from 'supertest';
import { BUDGETS } from '../src/http/rate-limits.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { createSave } from '../src/saves/create-save.ts';
import type { SaveDocument } from '../src/saves/save-document.ts';
import { isBusy, isOverLimit } from '../src/saves/save-limits.ts';
import { type NewSave, SaveStore } from '../src/saves/save-store.ts';
import { type ScriptedBluesky, startScriptedBluesky } from './_bluesky.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
afterEach(() => saves().deleteMany({}));

function saves() {
  return api.context.database.db.collection<SaveDocument>('saves');
}

function newSave(fields: Partial<SaveDocument> = {}): NewSave {
  const now = api.context.database.clock.now();
  return {
    key: randomBytes(8).toString('hex'),
    platform: 'bluesky',
    link: 'https://bsky.app/profile/did:plc:abcdefghijklmnopqrstuvwx/post/3lbxyzabcde2f',
    target: null,
    wantsThread: false,
    askedBy: { kind: 'wallet', id: 'somebody' },
    via: 'save',
    state: 'received',
    reason: null,
    dueAt: now,
    endsAt: new Date(now.getTime() + 3_600_000),
    archiveId: null,
    reply: 'none',
    createdAt: now,
    ...fields,
  };
}

describe('claiming', () => {
  it('takes what is due of the platforms that can be read, the one that waits longest first', async () => {
    const { store } = api.context.saves;
    const now = Date.now();
    await store.add([
      newSave({ key: 'other platform', platform: 'x', dueAt: new Date(now - 9_000) }),
      newSave({ key: 'not yet', dueAt: new Date(now + 60_000) }),
      newSave({ key: 'second', dueAt: new Date(now - 1_000) }),
      newSave({ key: 'first', state: 'stored', dueAt: new Date(now - 5_000) }),
      newSave({ key: 'to be answered', state: 'stored', reply: 'due', dueAt: new Date(now - 9_000) }),
      newSave({ key: 'ended', state: 'answered', dueAt: new Date(now - 9_000) }),
    ]);
    const claimed = [];
    for (;;) {
      const save = await store.claim(['bluesky']);
      if (!save) break;
      claimed.push(save.key);
    }
    expect(claimed).toEqual(['first', 'second']);
    expect((await store.claimReply('bluesky'))?.key).toBe('to be answered');
  });

  it('looks at no more than what is to do, however much has ended or waits to be answered', async () => {
    const { clock, db } = api.context.database;
    const ended = Array.from({ length: 5_000 }, (_, at) =>
      newSave({ state: 'answered', reply: at % 2 ? 'sent' : 'none', dueAt: new Date(at), endsAt: new Date(at) }),
    );
    const later = new Date(Date.now() + 3_600_000);
    const unanswered = Array.from({ length: 5_000 }, (_, at) =>
      newSave({ state: at % 2 ? 'stored' : 'failed', reply: 'due', platform: 'x', dueAt: new Date(at), endsAt: later }),
    );
    await api.context.saves.store.add([...ended, ...unanswered, ...Array.from({ length: 5_000 }, () => newSave())]);
    const client = new MongoClient(process.env['MONGODB_URI'] as string, { monitorCommands: true });
    const commands: Document[] = [];
    client.on('commandStarted', ({ command }) => commands.push(command));
    const store = new SaveStore({ db: client.db(db.databaseName), clock });
    await store.claim(['bluesky', 'x']);
    await store.claimReply('bluesky');
    await store.claimLate();
    await store.endReplies(new Date());
    await store.list({}, { page: 1, limit: 20 });
    await store.list({ state: 'open' }, { page: 1, limit: 20 });
    await store.list({ state: 'failed' }, { page: 1, limit: 20 });
    await client.close();
    const examined = [];
    for (const { lsid, txnNumber, $db, $clusterTime, writeConcern, readConcern, maxTimeMS, ...command } of commands) {
      if (command['endSessions']) continue;
      const plan = await db.command({ explain: command, verbosity: 'executionStats' });
      examined.push(JSON.stringify(plan).match(/"totalDocsExamined":(\d+)/)?.[1]);
    }
    expect(examined).toHaveLength(11);
    expect(examined.filter((count) => !(Number(count) <= 50))).toEqual([]);
  });
});

describe('the list of requests', () => {
  it('holds what was asked for, and not what authors want of this archive', async () => {
    const wish = new ObjectId();
    const shown = new ObjectId();
    await api.context.saves.store.add([newSave({ _id: wish, wish: 'remove all' }), newSave({ _id: shown })]);
    const { data, pagination } = (await request(api.app).get('/amber/saves?state=open')).body as SavePage;
    expect([data.map(({ _id }) => _id), pagination.total]).toEqual([[shown.toHexString()], 1]);
    expect((await request(api.app).get(`/amber/saves/${wish.toHexString()}`)).status).toBe(404);
    expect(((await request(api.app).get(`/amber/saves/${shown.toHexString()}`)).body as Save).state).toBe('received');
  });

  it('is of everybody, or of who asks for theirs alone, by state and in pages', async () => {
    const wallet = new TestWallet();
    const { token } = await wallet.signIn(api);
    const own = { askedBy: { kind: 'wallet', id: wallet.address } } as const;
    const [a, b, c, d] = Array.from({ length: 4 }, () => new ObjectId());
    const at = (ms: number) => ({ createdAt: new Date(ms) });
    await api.context.saves.store.add([
      newSave({ _id: a as ObjectId, ...own, ...at(1) }),
      newSave({ _id: b as ObjectId, ...at(4), state: 'failed', reason: 'not_found' }),
      newSave({ _id: c as ObjectId, ...own, ...at(3), state: 'answered' }),
      newSave({ _id: d as ObjectId, ...at(3), state: 'stored' }),
    ]);
    const list = async (query: string, by?: string) => {
      const asked = request(api.app).get(`/amber/saves?${query}`);
      if (by) asked.set('Authorization', `Bearer ${by}`);
      const { data, pagination } = (await asked).body as SavePage;
      const ids = data.map(({ _id }) => [a, b, c, d].findIndex((id) => id?.toHexString() === _id));
      return [ids.map((index) => 'abcd'[index]).join(''), pagination.total, pagination.pages];
    };
    expect(await list('')).toEqual(['bdca', 4, 1]);
    expect(await list('limit=3')).toEqual(['bdc', 4, 2]);
    expect(await list('limit=3&page=2')).toEqual(['a', 4, 2]);
    expect(await list('state=open')).toEqual(['da', 2, 1]);
    expect(await list('state=failed')).toEqual(['b', 1, 1]);
    expect(await list('mine=true', token)).toEqual(['ca', 2, 1]);
    expect(await list('mine=true&state=open', token)).toEqual(['a', 1, 1]);
    expect(await list('', token)).toEqual(['bdca', 4, 1]);
  });

  it('says so where its post is shown no longer, and does not lead to it', async () => {
    const { saves, posts } = api.context;
    const kept = await Promise.all(
      ['gone-1', 'gone-2', 'gone-3'].map(async (id) => {
        await api.add(newPost({ id }));
        return (await posts.store.find(id)) as PostDocument;
      }),
    );
    const [shown, hidden, removed] = kept as [PostDocument, PostDocument, PostDocument];
    const asked = kept.map(({ _id }) => newSave({ _id: new ObjectId(), state: 'answered', archiveId: _id }));
    await saves.store.add(asked);
    await posts.sealed.hide(hidden._id, 'rules');
    await posts.store.remove(removed._id);
    for (const [at, state, reason, archiveId] of [
      [0, 'answered', null, shown._id.toHexString()],
      [1, 'failed', 'hidden', null],
      [2, 'failed', 'removed', null],
    ] as const) {
      const { _id } = asked[at] as { _id: ObjectId };
      const { body } = await request(api.app).get(`/amber/saves/${_id.toHexString()}`);
      expect(body).toMatchObject({ state, reason, archiveId });
      const { data } = (await request(api.app).get('/amber/saves')).body as SavePage;
      expect(data.find((save) => save._id === _id.toHexString())).toEqual(body);
    }
  });

  it('goes ten thousand deep', async () => {
    expect((await request(api.app).get('/amber/saves?page=100&limit=100')).status).toBe(200);
    const deeper = await request(api.app).get('/amber/saves?page=101&limit=100');
    expect([deeper.status, deeper.body.errors[0].path]).toEqual([400, 'page']);
  });
});

describe('asking for a post', () => {
  const DID = 'abcdefghijklmnopqrstuvwx';
  const posts = () => api.context.database.db.collection('posts');
  let key: string;
  let serial = 0;
  beforeAll(async () => {
    ({ key } = await api.context.accounts.agentKeys.create('saver', { scopes: ['save'] }));
  });

  function aLink() {
    const record = `3lbxyzabcde2${'abcdefghijklmnopqrstuvwxyz'[serial++]}`;
    return { url: `https://bsky.app/profile/did:plc:${DID}/post/${record}`, id: `bsky-${DID}-${record}` };
  }
  const ask = (url: string) =>
    request(api.app).post('/amber/saves').set('Authorization', `Bearer ${key}`).send({ url });

  it('names what can be read here, where a link is none to a post', async () => {
    const { body, status } = await ask('not a link');
    expect([status, body.message]).toEqual([400, 'That isn’t a link to a post on Bluesky.']);
    const both = { byPlatform: new Map<string, unknown>([...api.context.sources.byPlatform, ['x', {}]]) };
    const needs = { ...api.context, sources: both } as never;
    await expect(createSave(needs, 'not a link', { askedBy: { kind: 'operator', id: 'test' } })).rejects.toThrow(
      'That isn’t a link to a post on X or Bluesky.',
    );
  });

  it('is one request while it is under way, also after an earlier one has ended', async () => {
    const { url } = aLink();
    const [first] = [await ask(url), await ask(url)];
    await saves().updateMany({}, { $set: { state: 'failed' } });
    const again = await Promise.all([ask(url), ask(url), ask(url)]);
    const third = await ask(url);
    expect([first, ...again, third].map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    expect(new Set([...again, third].map(({ body }) => (body as Save)._id)).size).toBe(1);
    expect(await saves().countDocuments()).toBe(2);
  });

  it.each([
    ['deleted', 'Deleted by its author. Amber has not shown it since 9 March 2026.'],
    ['protected', 'Its author shows it to some people only. Amber has not shown it since 9 March 2026.'],
    [undefined, 'This post was removed from the archive on 9 March 2026.'],
  ])('that is gone tells why: %s', async (sealed, sentence) => {
    const { url, id } = aLink();
    await api.add(newPost({ id, url }));
    await posts().updateOne(
      { id },
      { $set: { removedAt: new Date('2026-03-09T23:59:00Z'), ...(sealed && { sealed }) } },
    );
    const answer = await ask(url);
    expect([answer.status, answer.body.message]).toEqual([410, sentence]);
    expect(await saves().countDocuments()).toBe(0);
  });

  it('that is kept whole has nothing to do, and one that is not is taken from its platform', async () => {
    const capture = (method: string) => ({ origin: { savedBy: { via: 'save' }, capture: { method, complete: true } } });
    const picture = { type: 'image', key: 'one', address: null };
    const found = [];
    for (const fields of [
      capture('bluesky'),
      capture('ingest'),
      { ...capture('bluesky'), media: [picture] },
      { ...capture('bluesky'), media: [{ ...picture, sha256: 'a'.repeat(64) }] },
    ]) {
      const { url, id } = aLink();
      await api.add(newPost({ id, url }));
      await posts().updateOne({ id }, { $set: fields });
      const { status, body } = await ask(url);
      found.push([status, (body as Save).state]);
    }
    expect(found).toEqual([
      [200, 'answered'],
      [200, 'received'],
      [200, 'received'],
      [200, 'answered'],
    ]);
  });

  it('is refused beyond the day of an asker, also where many ask at once, and leaves no request behind', async () => {
    const needs = { ...api.context, config: { ...api.context.config, rateLimits: true } };
    const askedBy = { kind: 'wallet', id: 'greedy' } as const;
    await api.context.saves.store.add(Array.from({ length: SAVES_PER_DAY - 2 }, () => newSave({ askedBy })));
    const answers = await Promise.allSettled(
      Array.from({ length: 6 }, () => createSave(needs, aLink().url, { askedBy })),
    );
    const taken = answers.filter(({ status }) => status === 'fulfilled').length;
    expect(taken).toBeGreaterThanOrEqual(2);
    expect(await saves().countDocuments()).toBe(SAVES_PER_DAY - 2 + taken);
    await expect(createSave(needs, aLink().url, { askedBy })).rejects.toThrow();
    expect(await saves().countDocuments()).toBe(SAVES_PER_DAY - 2 + taken);
  });

  it('counts against the day and the minute what was asked in them, by the same and in the same way', async () => {
    const { config, database, saves: ofApi } = api.context;
    const needs = { config: { ...config, rateLimits: true }, saves: ofApi };
    const noon = Math.floor(database.clock.now().getTime() / 86_400_000) * 86_400_000 + 43_200_000;
    const network = '203.0.113.0/24';
    const asked = (fields: Partial<SaveDocument>, ms = 0) =>
      newSave({ askedBy: { kind: 'wallet', id: 'eager' }, network, createdAt: new Date(noon + ms), ...fields });
    const next = (fields: Partial<SaveDocument> = {}) =>
      ({ ...asked(fields), _id: new ObjectId('f'.repeat(24)) }) as unknown as SaveDocument;
    const fill = async (count: number, fields: Partial<SaveDocument>, ms?: number) => {
      await saves().deleteMany({});
      await ofApi.store.add(Array.from({ length: count }, () => asked(fields, ms)));
    };
    const other = { askedBy: { kind: 'wallet', id: 'another' }, network: '198.51.100.0/24' } as const;
    const days: [count: number, fields: Partial<SaveDocument>, ms: number, isOver: boolean][] = [
      [SAVES_PER_DAY, {}, 0, true],
      [SAVES_PER_DAY - 1, {}, 0, false],
      [SAVES_PER_DAY, {}, -43_200_000, true],
      [SAVES_PER_DAY, {}, -43_200_001, false],
      [SAVES_PER_DAY, { via: 'mention' }, 0, false],
      [SAVES_PER_DAY, { ...other, network }, 0, true],
      [SAVES_PER_DAY, { network: other.network }, 0, true],
      [SAVES_PER_DAY, other, 0, false],
    ];
    for (const [count, fields, ms, isOver] of days) {
      await fill(count, fields, ms);
      expect([count, fields, ms, await isOverLimit(needs, next())]).toEqual([count, fields, ms, isOver]);
    }
    const minutes: [count: number, fields: Partial<SaveDocument>, ms: number, isBusyThen: boolean][] = [
      [SAVES_PER_MINUTE, other, 0, true],
      [SAVES_PER_MINUTE - 1, other, 0, false],
      [SAVES_PER_MINUTE, other, -60_000, true],
      [SAVES_PER_MINUTE, other, -60_001, false],
      [SAVES_PER_MINUTE, { ...other, via: 'mention' }, 0, false],
    ];
    for (const [count, fields, ms, isBusyThen] of minutes) {
      await fill(count, fields, ms);
      expect([count, fields, ms, await isBusy(needs, next())]).toEqual([count, fields, ms, isBusyThen]);
    }
    await fill(SAVES_PER_MINUTE, {});
    const operator = next({ askedBy: { kind: 'operator', id: 'eager' } });
    expect([await isBusy(needs, operator), await isOverLimit(needs, operator)]).toEqual([false, false]);
    const off = { config: { ...config, rateLimits: false }, saves: ofApi };
    expect([await isBusy(off, next()), await isOverLimit(off, next())]).toEqual([false, false]);
  });

  it('is refused beyond the day of a network, however many wallets ask from it', async () => {
    await saves().deleteMany({});
    const needs = { ...api.context, config: { ...api.context.config, rateLimits: true } };
    const network = '2001:db8:1::/48';
    const askedBy = (id: number) => ({ kind: 'wallet', id: `wallet ${id}` }) as const;
    const before = Array.from({ length: SAVES_PER_DAY - 1 }, (_, at) => newSave({ askedBy: askedBy(at), network }));
    await api.context.saves.store.add(before);
    const save = (id: number, from: string) => createSave(needs, aLink().url, { askedBy: askedBy(id), network: from });
    await save(101, network);
    await expect(save(102, network)).rejects.toMatchObject({ code: 'rate_limited' });
    await save(103, '2001:db8:2::/48');
    expect(await saves().countDocuments()).toBe(SAVES_PER_DAY + 1);
  });
});

describe('a link that names somebody by handle', () => {
  let asked: string[] = [];
  let bluesky: ScriptedBluesky;
  let limited: TestApi;

  beforeAll(async () => {
    bluesky = await startScriptedBluesky(({ params }) => {
      asked.push(params.get('handle') ?? '');
      return { status: 400, body: { error: 'InvalidRequest', message: 'Unable to resolve handle' } };
    });
    limited = await startTestApi({ env: { BLUESKY_APPVIEW_URL: bluesky.url } });
  });
  beforeEach(async () => {
    asked = [];
    await limited.context.database.db.collection('rate_limits').deleteMany({});
  });
  afterAll(async () => {
    await limited.close();
    await bluesky.close();
  });

  const linkOf = (handle: string) => `https://bsky.app/profile/${handle}/post/3lbxyzabcde2f`;

  it('is counted before anybody is asked who that is, also where nobody is, for all wallets of an address', async () => {
    const statuses: number[] = [];
    for (let wallet = 0; wallet < 2; wallet++) {
      const { token } = await new TestWallet().signIn(limited);
      for (let at = 0; at < BUDGETS.save.points; at++) {
        const ask = request(limited.app).post('/amber/saves').set('Authorization', `Bearer ${token}`);
        statuses.push((await ask.send({ url: linkOf(`none${wallet}-${at}.example`) })).status);
      }
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(BUDGETS.save.points);
    expect(statuses.filter((status) => status === 429)).toHaveLength(BUDGETS.save.points);
    expect(asked).toHaveLength(BUDGETS.save.points);
  });

  it('is looked up for nobody whose day is over', async () => {
    const askedBy = { kind: 'wallet', id: 'greedy' } as const;
    await limited.context.saves.store.add(Array.from({ length: SAVES_PER_DAY }, () => newSave({ askedBy })));
    const save = createSave(limited.context, linkOf('late.example'), { askedBy });
    await expect(save).rejects.toMatchObject({ code: 'rate_limited' });
    expect(asked).toEqual([]);
  });
});
