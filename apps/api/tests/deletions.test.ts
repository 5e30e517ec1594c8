import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Post } from '@archive/contracts';
import {
  agentSettings,
  type BlueskyNetwork,
  type LocalAccount,
  type RecordRef,
  sharedBluesky,
} from '@archive/local-bluesky';
import { blueskyId } from '@archive/testing';
import { until } from '@archive/tiers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AgentStore } from '../src/agent/agent-store.ts';
import { type Agent, createAgent } from '../src/agent.ts';
import { readConfig } from '../src/config.ts';
import { FollowedPostStore } from '../src/posts/followed-post-store.ts';
import { createSave } from '../src/saves/create-save.ts';
import { type LogLine, recordedLog } from './_recorded-log.ts';
import { type CutStream, startCutStream } from './_stream.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const DAY_MS = 86_400_000;

let network: BlueskyNetwork;
let api: TestApi;
let stream: CutStream;
let agent: Agent;
let lines: LogLine[];
let dataDir: string;
let databaseName: string;

beforeAll(async () => {
  network = await sharedBluesky();
});

/** Starts the product with a stream that is a proxy of the network's own, or that sends what the test tells it to. */
async function start(behind?: string, more: Record<string, string> = {}) {
  stream = await startCutStream(behind);
  dataDir = mkdtempSync(join(tmpdir(), 'agent-'));
  databaseName = `test_${randomBytes(6).toString('hex')}`;
  // Without an account the agent follows deletions and reads no mentions.
  const { BLUESKY_IDENTIFIER, BLUESKY_PASSWORD, ...settings } = agentSettings(
    { ...network, jetstream: stream.url },
    { handle: '', appPassword: '' },
  );
  const env = {
    ...settings,
    DATA_DIR: dataDir,
    ...more,
  };
  api = await startTestApi({ env, overrides: { databaseName } });
  const recorded = recordedLog();
  lines = recorded.lines;
  const config = readConfig({ MONGODB_URI: process.env['MONGODB_URI'], ...env });
  agent = await createAgent(config, { databaseName, log: recorded.log, authorsMs: 0 });
}

async function stop() {
  await agent.stop();
  await api.close();
  await stream.close();
  rmSync(dataDir, { recursive: true, force: true });
}

const posts = () => api.context.database.db.collection('posts');
const get = (id: string) => request(api.app).get(`/amber/archives/${id}`);
const hints = () => api.context.database.db.collection('look_hints');
/**
 * Repeats a question until it has an answer. Each time the agent does all its work, including delayed hints, because a
 * stream sends at any time.
 */
const worked = <T>(ask: () => Promise<T | null>): Promise<T> =>
  until(async () => {
    const known = await ask();
    if (known !== null) return known;
    await network.settled();
    await agent.runUntilEmpty();
    if ((await hints().updateMany({}, { $set: { dueAt: new Date(0) } })).matchedCount > 0) await agent.runUntilEmpty();
    return ask();
  });
const untilStatus = (id: string, status: number) =>
  worked(async () => {
    const answer = await get(id);
    return answer.status === status ? answer : null;
  });
const untilFollowed = (did: string) =>
  worked(async () => (stream.isOpen() && stream.sent.at(-1)?.payload.wantedDids.includes(did) ? true : null));

/** Saves a post by its link, as an operator does. */
async function keep(account: LocalAccount, text: string) {
  const post = await account.post({ text });
  const id = blueskyId(post.uri);
  await askFor(account, post);
  await untilStatus(id, 200);
  return { post, id };
}

function askFor(account: LocalAccount, { uri }: RecordRef) {
  const link = `https://bsky.app/profile/${account.did}/post/${uri.split('/').at(-1)}`;
  return createSave(api.context, link, { askedBy: { kind: 'operator', id: 'test' } });
}

describe('with the stream of its network', () => {
  beforeAll(() => start(network.jetstream));
  afterAll(stop);

  it('a kept post that its author deletes goes, and nobody else’s with it', async () => {
    const [author, other] = [await network.createAccount({}), await network.createAccount({})];
    const [kept, second, others] = [await keep(author, 'mine'), await keep(author, 'too'), await keep(other, 'theirs')];
    const notKept = await other.post({ text: 'never kept' });
    await untilFollowed(other.did);
    const before = await posts().findOne({ ids: others.id });
    await other.deletePost(notKept);
    await author.deletePost(kept.post);
    expect((await untilStatus(kept.id, 410)).body.detail).toMatch(
      /^Deleted by its author\. Amber has not shown it since \d+ \w+ \d{4}\.$/,
    );
    expect((await get(second.id)).status).toBe(200);
    // The agent did not check it either.
    expect(await posts().findOne({ ids: others.id })).toEqual(before);
  });

  it('of posts that are looked at no more too, and what comes back is shown again', async () => {
    const author = await network.createAccount({});
    const { post, id } = await keep(author, 'an old one');
    await posts().updateOne({ ids: id }, { $unset: { lookDueAt: '' } });
    await untilFollowed(author.did);
    const name = { repo: author.did, collection: 'app.bsky.feed.post', rkey: post.uri.split('/').at(-1) as string };
    const { value } = await author.call<{ value: object }>('com.atproto.repo.getRecord', { params: name });
    await author.deletePost(post);
    await untilStatus(id, 410);
    await author.call('com.atproto.repo.putRecord', { input: { ...name, record: value } });
    expect((await untilStatus(id, 200)).body).toMatchObject({ content: 'an old one', source: { state: 'live' } });
  });

  it('a post that is changed shows what it says now beside what was asked for', async () => {
    const author = await network.createAccount({});
    const { post, id } = await keep(author, 'as it was');
    await untilFollowed(author.did);
    const name = { repo: author.did, collection: 'app.bsky.feed.post', rkey: post.uri.split('/').at(-1) as string };
    const { value } = await author.call<{ value: object }>('com.atproto.repo.getRecord', { params: name });
    await author.call('com.atproto.repo.putRecord', { input: { ...name, record: { ...value, text: 'otherwise' } } });
    const changed = await worked(async () => {
      const shown = (await get(id)).body as Post;
      return shown.source.state === 'edited' ? shown : null;
    });
    expect(changed).toMatchObject({ content: 'as it was', versions: [{ content: 'otherwise' }] });
  });

  it('an account that is left takes all its posts along, and brings them back with it', async () => {
    const author = await network.createAccount({});
    // More posts than the agent checks before the first one proves to be deleted.
    const kept: { id: string }[] = [];
    for (let at = 1; at <= 28; at++) {
      const post = await author.post({ text: `${at}` });
      await askFor(author, post);
      kept.push({ id: blueskyId(post.uri) });
    }
    for (const { id } of kept) await untilStatus(id, 200);
    await untilFollowed(author.did);
    await author.call('com.atproto.server.deactivateAccount', { input: {} });
    // Posts that were saved last are removed first.
    for (const { id } of kept.toReversed()) await untilStatus(id, 410);
    await author.call('com.atproto.server.activateAccount', { procedure: true });
    for (const { id } of kept) await untilStatus(id, 200);
  });

  it('where they are too many, those are followed whose posts were kept last', async () => {
    const [earlier, later] = [await network.createAccount({}), await network.createAccount({})];
    for (const author of [earlier, later]) await keep(author, 'kept');
    const { db } = api.context.database;
    const followed = new FollowedPostStore(db);
    // Authors with removed posts come first, as the author of the first test.
    const sealed = (await db.collection('sealed_posts').distinct('post.authorId')) as string[];
    const shown = (await posts().distinct('authorId')) as string[];
    expect(sealed).not.toEqual([]);
    expect(await followed.authors(10_000)).toEqual(new Set([...sealed, ...shown]));
    expect(await followed.authors(sealed.length + 1)).toEqual(new Set([...sealed, later.did]));
    expect(await followed.authors(sealed.length + 2)).toEqual(new Set([...sealed, later.did, earlier.did]));
  });

  it('cut off, goes on from where it was: nothing is missed', async () => {
    const author = await network.createAccount({});
    const { post, id } = await keep(author, 'deleted while nobody listened');
    await untilFollowed(author.did);
    const asked = stream.asked.length;
    stream.cut();
    await author.deletePost(post);
    // The post is deleted on the network before the stream is open again.
    await network.settled();
    await agent.runUntilEmpty();
    expect((await get(id)).status).toBe(200);
    stream.mend();
    await untilStatus(id, 410);
    const cursor = Number(stream.asked[asked]?.get('cursor'));
    expect(cursor).toBeGreaterThan((Date.now() - DAY_MS) * 1000);
    expect(cursor).toBeLessThan(Date.now() * 1000);
    expect(lines.filter(({ alarm }) => alarm)).toEqual([]);
  });

  it('whom an agent key makes up is followed by nobody, and ends nothing', async () => {
    const author = await network.createAccount({});
    const { key } = await api.context.accounts.agentKeys.create('one that makes things up');
    const made = ['did:x', 'did:plc:ragtjsm2j2vknwkz3zp4oxrd'].map((authorId) => newPost({ authorId }));
    const sent = await request(api.app)
      .post('/amber/archives')
      .set('Authorization', `Bearer ${key}`)
      .send({ posts: made });
    expect(sent.body).toMatchObject({ created: 2 });
    const { post, id } = await keep(author, 'mine');
    await untilFollowed(author.did);
    expect(stream.sent.flatMap(({ payload }) => payload.wantedDids)).not.toContain('did:x');
    expect(stream.sent.flatMap(({ payload }) => payload.wantedDids)).not.toContain(made[1]?.['authorId']);
    await author.deletePost(post);
    await untilStatus(id, 410);
  });
});

describe('with a stream that says what it likes', () => {
  beforeEach(() => start());
  afterEach(stop);

  const now = () => Date.now() * 1000;
  const deleted = (did: string, rkey: string, more: object = {}) =>
    JSON.stringify({
      did,
      time_us: now(),
      kind: 'commit',
      commit: { rev: '3l3qo2vutsw2b', operation: 'delete', collection: 'app.bsky.feed.post', rkey },
      ...more,
    });

  it('believes nothing of it, and is harmed by nothing', async () => {
    const [author, other] = [await network.createAccount({}), await network.createAccount({})];
    const { id, post } = await keep(author, 'still there');
    const rkey = post.uri.split('/').at(-1) as string;
    await untilFollowed(author.did);
    const garbage = [
      '',
      'no JSON',
      'null',
      '[]',
      '{}',
      '[['.repeat(20_000),
      Buffer.from([0, 1, 2, 255]),
      JSON.stringify({ did: author.did, time_us: now(), kind: 'commit' }),
      JSON.stringify({ did: author.did, time_us: 'later', kind: 'account', account: { active: false } }),
      JSON.stringify({ did: author.did, time_us: now(), kind: 'account', account: { active: 'no' } }),
      JSON.stringify({ did: author.did, time_us: -1, kind: 'account', account: { active: false } }),
      deleted(author.did, `${'../'.repeat(30)}x`),
      deleted(author.did, rkey, { padding: 'x'.repeat(200_000) }),
      deleted(other.did, rkey),
      deleted('did:plc:$where', rkey),
      deleted(author.did, rkey, { time_us: (Date.now() + 365 * DAY_MS) * 1000 }),
      // A false message about an existing post.
      deleted(author.did, rkey),
      JSON.stringify({
        did: author.did,
        time_us: now(),
        kind: 'account',
        account: { active: false, status: 'deleted' },
      }),
    ];
    const { checkedAt } = (await posts().findOne({ ids: id }))?.['source'] ?? {};
    for (const message of garbage) stream.tell(message);
    // The agent checked the post and found it in place.
    await worked(async () => {
      const shown = (await get(id)).body as Post;
      return shown.source.checkedAt !== null && shown.source.checkedAt !== checkedAt?.toISOString() ? true : null;
    });
    expect((await get(id)).status).toBe(200);
    expect(stream.asked).toHaveLength(1);
    const cursor = await new AgentStore(api.context.database.db).streamPosition('bluesky');
    expect(cursor).toBeLessThanOrEqual(now());
    // A true message removes the post.
    await author.deletePost(post);
    stream.tell(deleted(author.did, rkey));
    await untilStatus(id, 410);
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('leaves one that sends what is far too long, and comes back', async () => {
    const author = await network.createAccount({});
    await keep(author, 'still there');
    await untilFollowed(author.did);
    stream.tell('x'.repeat(5_000_000));
    await worked(async () => (stream.asked.length > 1 && stream.isOpen() ? true : null));
  });

  it('says of an author no more than a few posts that they may be gone, until that has proved true', async () => {
    const author = await network.createAccount({});
    const { id } = await keep(author, 'the only one');
    const one = await posts().findOne({ ids: id });
    const { _id, ...rest } = one as never as Record<string, unknown>;
    const copies = Array.from({ length: 200 }, (_, at) => {
      const own = `${id}-${at}`;
      // The platform does not know these copies, so mark them as checked.
      const source = { state: 'live', checkedAt: new Date(Date.now() + DAY_MS) };
      return { ...rest, id: own, ids: [own], fingerprint: own, source };
    });
    await posts().insertMany(copies);
    await untilFollowed(author.did);
    const away = { did: author.did, kind: 'account', account: { active: false, status: 'takendown' } };
    const dueAt = one?.['lookDueAt'] as Date;
    stream.tell(JSON.stringify({ ...away, time_us: now() }));
    await worked(async () => ((await posts().countDocuments({ lookDueAt: { $ne: dueAt } })) > 0 ? true : null));
    await worked(async () => ((await hints().countDocuments({ tries: { $gte: 2 } })) > 0 ? true : null));
    expect(await posts().countDocuments({ lookDueAt: { $ne: dueAt } })).toBeLessThanOrEqual(25);
  });
});

describe('after it was away', () => {
  afterEach(stop);

  it('for longer than the stream keeps, raises the alarm once', async () => {
    await start();
    const author = await network.createAccount({});
    await keep(author, 'followed');
    await untilFollowed(author.did);
    await agent.stop();
    const position = (Date.now() - 3 * DAY_MS) * 1000;
    const stored = { _id: 'bluesky stream' } as never;
    await api.context.database.db.collection('agents').updateOne(stored, { $set: { position } }, { upsert: true });
    const { log, lines: told } = recordedLog();
    agent = await createAgent(api.context.config, { databaseName, log, authorsMs: 0 });
    await worked(async () => (stream.isOpen() ? true : null));
    expect(Number(stream.asked.at(-1)?.get('cursor'))).toBeLessThan(position);
    const alarms = () => told.filter(({ alarm }) => alarm === 'stream gap');
    await worked(async () => (alarms().length > 0 ? true : null));
    stream.cut();
    const asked = stream.asked.length;
    stream.mend();
    await worked(async () => (stream.asked.length > asked && stream.isOpen() ? true : null));
    expect(stream.asked.at(-1)?.get('cursor')).toBe(stream.asked.at(-2)?.get('cursor'));
    // By the time this message is processed, a second alarm would have been raised.
    const toldAt = Date.now() * 1000;
    stream.tell(JSON.stringify({ did: author.did, time_us: toldAt, kind: 'identity', identity: { did: author.did } }));
    const store = new AgentStore(api.context.database.db);
    await worked(async () => (((await store.streamPosition('bluesky')) ?? 0) >= toldAt ? true : null));
    expect(alarms()).toHaveLength(1);
  });
});
