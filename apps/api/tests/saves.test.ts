import { randomBytes } from 'node:crypto';
import type { Save, SavePage } from '@archive/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient, ObjectId } from 'mongodb';
import request from 'supertest';
import type { SaveDocument } from '../src/saves/save-document.ts';
import { type NewSave, SaveStore } from '../src/saves/save-store.ts';
import { startTestApi, type TestApi } from './_test-api.ts';

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

  it('looks at no more than what is open, however much has ended', async () => {
    const { clock, db } = api.context.database;
    const ended = Array.from({ length: 5_000 }, (_, at) =>
      newSave({ state: 'answered', reply: at % 2 ? 'sent' : 'none', dueAt: new Date(at), endsAt: new Date(at) }),
    );
    await api.context.saves.store.add([...ended, newSave({ key: 'open' })]);
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
    expect(examined).toHaveLength(10);
    expect(examined.filter((count) => !(Number(count) <= 20))).toEqual([]);
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

  it('goes ten thousand deep', async () => {
    expect((await request(api.app).get('/amber/saves?page=100&limit=100')).status).toBe(200);
    const deeper = await request(api.app).get('/amber/saves?page=101&limit=100');
    expect([deeper.status, deeper.body.errors[0].path]).toEqual([400, 'page']);
  });
});
