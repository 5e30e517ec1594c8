import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchivePage, Post, Save, SavePage } from '@archive/contracts';
import {
  agentSettings,
  type BlueskyNetwork,
  type LocalAccount,
  type RecordRef,
  sharedBluesky,
  verifyRecord,
} from '@archive/local-bluesky';
import { blueskyId } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import pino from 'pino';
import request from 'supertest';
import { type Agent, createAgent } from '../src/agent.ts';
import { savePost } from '../src/cli/save-post.ts';
import { readConfig } from '../src/config.ts';
import { dropUnused } from '../src/saves/advance-save.ts';
import type { CaptureDocument } from '../src/saves/capture-store.ts';
import type { SaveDocument } from '../src/saves/save-document.ts';
import { startTestApi, type TestApi } from './_test-api.ts';

const databaseName = `test_${randomBytes(6).toString('hex')}`;
/** Both processes share one media folder. */
const dataDir = mkdtempSync(join(tmpdir(), 'agent-'));
let network: BlueskyNetwork;
let keeper: LocalAccount;
let api: TestApi;
let agent: Agent;

beforeAll(async () => {
  network = await sharedBluesky();
  keeper = await network.createAccount({});
  const env = {
    ...agentSettings(network, keeper),
    PUBLIC_URL: 'http://localhost:4000',
    DATA_DIR: dataDir,
  };
  api = await startTestApi({ env, overrides: { databaseName } });
  const settings = { MONGODB_URI: process.env['MONGODB_URI'], ...env };
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  agent = await createAgent(readConfig(settings), { databaseName, log });
  // The agent ignores mentions from before its first look.
  await agent.runUntilEmpty();
});

afterAll(async () => {
  await agent?.stop();
  await api?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Repeats a question until it has an answer, after the agent has done all its work each time: the clocks that decide
 * what is due differ slightly.
 */
function worked<T>(ask: () => Promise<T | null>): Promise<T> {
  return until(async () => {
    await network.settled();
    await agent.runUntilEmpty();
    await network.settled();
    return ask();
  });
}

/** The agent's replies in a thread, as the asker sees them. */
async function repliesTo(account: LocalAccount, uri: string): Promise<{ text: string; uri: string; cid: string }[]> {
  const params = { uri, depth: 1 };
  const { thread } = await account.call<ThreadAnswer>('app.bsky.feed.getPostThread', { params });
  return (thread.replies ?? [])
    .filter(({ post }) => post.author.did === keeper.did)
    .map(({ post: { uri, cid, record } }) => ({ text: record.text, uri, cid }));
}

interface ThreadAnswer {
  thread: { replies?: { post: { uri: string; cid: string; author: { did: string }; record: { text: string } } }[] };
}

async function reply(account: LocalAccount, uri: string) {
  const [first] = await worked(async () => {
    const replies = await repliesTo(account, uri);
    return replies.length > 0 ? replies : null;
  });
  return first as { text: string; uri: string; cid: string };
}

/** Waits, because the API caches for a second what it knew of a picture. */
function untilServed(path: string | null | undefined, status: number) {
  return until(async () => ((await request(api.app).get(path as string)).status === status ? true : null));
}

const captures = () => api.context.database.db.collection<CaptureDocument>('captures');

async function kept(id: string): Promise<Post> {
  return (await request(api.app).get(`/amber/archives/${id}`)).body as Post;
}

/** A post with all its pictures. A busy server may fail at first, so they are requested again. */
function keptWhole(id: string): Promise<Post> {
  return worked(async () => {
    const waiting = { mediaDueAt: { $exists: true } };
    await api.context.database.db.collection('posts').updateMany(waiting, { $set: { mediaDueAt: new Date(0) } });
    const post = await kept(id);
    const isAvatarLate = post.authorAvatar !== null && !post.authorAvatar.startsWith('/media/');
    return isAvatarLate || post.media.some(({ missing }) => missing) ? null : post;
  });
}

describe('a mention that quotes a post', () => {
  it('brings the post into the archive, signed, and is answered once', async () => {
    const [author, asker] = await Promise.all([
      network.createAccount({ displayName: 'Ann' }),
      network.createAccount({}),
    ]);
    const post = await author.post({ text: 'what is worth keeping' });
    const ask = await asker.post({ text: `@${keeper.handle} save this please`, mentions: [keeper], quote: post });
    const answer = await reply(asker, ask.uri);
    const saved = await kept(blueskyId(post.uri));
    expect(saved).toMatchObject({
      content: 'what is worth keeping',
      author: 'Ann',
      authorUsername: author.handle,
      authorId: author.did,
      platform: 'bluesky',
      savedBy: { via: 'mention', platform: 'bluesky', handle: asker.handle },
      capture: { method: 'bluesky', complete: true, signed: true },
      source: { state: 'live' },
    });
    expect(answer.text).toContain(`http://localhost:4000/post/${saved._id}`);
    expect(await repliesTo(asker, ask.uri)).toHaveLength(1);
    const { body } = await request(api.app).get('/amber/saves');
    const [save] = (body as SavePage).data;
    expect(save).toMatchObject({ state: 'answered', archiveId: saved._id, via: 'mention', platform: 'bluesky' });
    expect(JSON.stringify(body)).not.toContain(asker.did);
    expect((await captures().findOne({ address: post.uri }))?.signed?.did).toBe(author.did);
  });
});

describe('a post with pictures that quotes another', () => {
  it('comes with them, its author’s picture and the post it quotes; removed, their bytes go', async () => {
    const [author, other, asker] = await Promise.all([
      aPicture({ width: 200, height: 200 }).then((avatar) => network.createAccount({ avatar })),
      network.createAccount({}),
      network.createAccount({}),
    ]);
    const [wide, tall] = [
      await aPicture({ width: 900, height: 500 }),
      await aPicture({ width: 300, height: 800, format: 'png' }),
    ];
    const quoted = await other.post({ text: 'the quoted words' });
    const post = await author.post({
      text: 'two pictures and a quote',
      images: [
        { bytes: wide, alt: 'A wide one', width: 900, height: 500 },
        { bytes: tall, width: 300, height: 800 },
      ],
      quote: quoted,
    });
    const ask = await asker.post({ text: `@${keeper.handle} keep`, mentions: [keeper], quote: post });
    await reply(asker, ask.uri);
    const saved = await keptWhole(blueskyId(post.uri));
    expect(saved.media).toMatchObject([
      { type: 'image', alt: 'A wide one', width: 900, height: 500, missing: false },
      { type: 'image', alt: null, width: 300, height: 800, missing: false },
    ]);
    expect(saved.quoted).toMatchObject({ state: 'kept', post: { content: 'the quoted words' } });
    expect(saved.authorAvatar).toMatch(/^\/media\/[0-9a-f]{64}\/preview$/);
    const [first] = saved.media;
    const picture = await request(api.app).get(first?.url as string);
    expect([picture.status, picture.type, createHash('sha256').update(picture.body).digest('hex')]).toEqual([
      200,
      'image/jpeg',
      createHash('sha256').update(wide).digest('hex'),
    ]);
    expect((await request(api.app).get(first?.preview as string)).type).toBe('image/webp');
    const word = await author.post({ text: `@${keeper.handle} remove`, mentions: [keeper], quote: post });
    expect((await reply(author, word.uri)).text).toContain('removed');
    await untilServed(first?.url, 404);
    expect(await captures().countDocuments({ address: post.uri })).toBe(0);
    expect((await kept(blueskyId(quoted.uri))).content).toBe('the quoted words');
  });
});

describe('a link', () => {
  it('is saved for an agent key, with its thread so far, and is there once however often it is asked for', async () => {
    const author = await network.createAccount({});
    const first = await author.post({ text: 'one' });
    const second = await author.post({ text: 'goes on', reply: { root: first, parent: first } });
    const { key } = await api.context.accounts.agentKeys.create('saver', { scopes: ['save'] });
    const url = `https://bsky.app/profile/${author.handle}/post/${second.uri.split('/').at(-1)}`;
    const ask = () => request(api.app).post('/amber/saves').set('Authorization', `Bearer ${key}`).send({ url });
    await network.settled();
    const asked = await ask();
    expect(asked.status).toBe(202);
    const { _id } = asked.body as Save;
    const done = await worked(async () => {
      const { body } = await request(api.app).get(`/amber/saves/${_id}`);
      return ['answered', 'failed'].includes((body as Save).state) ? (body as Save) : null;
    });
    expect(done).toMatchObject({ state: 'answered', reason: null });
    expect(await kept(blueskyId(second.uri))).toMatchObject({
      content: 'goes on',
      thread: { position: 2, length: 2 },
      replyTo: { state: 'kept', post: { content: 'one' } },
    });
    expect((await ask()).status).toBe(200);
    const total = await until(async () => {
      const { pagination } = (await request(api.app).get('/amber/archives?search=goes%20on')).body as ArchivePage;
      return pagination.total || null;
    });
    expect(total).toBe(1);
  });
});

describe('the command line', () => {
  it('saves a post by its link, and says where it is', async () => {
    const author = await network.createAccount({});
    const post = await author.post({ text: 'kept by an operator' });
    const link = `https://bsky.app/profile/${author.did}/post/${post.uri.split('/').at(-1)}`;
    const said: unknown[] = [];
    const output = jest.spyOn(process.stdout, 'write').mockImplementation((words) => said.push(words) > 0);
    const { audit, config, database, ledger } = api.context;
    const saving = savePost(database, ledger, audit, link, config).finally(() => output.mockRestore());
    await worked(() => api.context.posts.store.find(blueskyId(post.uri)));
    const isSaved = await saving;
    const saved = await kept(blueskyId(post.uri));
    expect([isSaved, saved.content]).toEqual([true, 'kept by an operator']);
    expect(said.join('')).toContain(`/post/${saved._id}`);
  });
});

describe('an author', () => {
  it('has a post removed by one word, and no other post or word does that', async () => {
    const [author, asker] = await Promise.all([network.createAccount({}), network.createAccount({})]);
    const post = await author.post({ text: 'I may regret this' });
    const ask = await asker.post({
      text: `@${keeper.handle} archive`,
      mentions: [keeper],
      reply: { root: post, parent: post },
    });
    const answer = await reply(asker, ask.uri);
    const id = blueskyId(post.uri);
    expect((await kept(id)).content).toBe('I may regret this');
    const at = { root: post, parent: { uri: answer.uri, cid: answer.cid } };
    // Another person says the word under the same reply. The next check proves that nothing happened.
    await asker.post({ text: 'remove', reply: at });
    const longer = await author.post({ text: "please don't remove this", reply: at });
    expect((await reply(author, longer.uri)).text).toContain('“remove”');
    expect((await kept(id)).content).toBe('I may regret this');
    const word = await author.post({ text: 'Remove.', reply: at });
    expect((await reply(author, word.uri)).text).toContain('removed');
    await until(async () => ((await request(api.app).get(`/amber/archives/${id}`)).status === 410 ? true : null));
  });
});

describe('an agent that claims to have seen who wrote a post', () => {
  const send = async (post: object, status = 201) => {
    const { key } = await api.context.accounts.agentKeys.create('one that makes things up');
    await request(api.app).post('/amber/archives').set('Authorization', `Bearer ${key}`).send(post).expect(status);
  };

  it('is believed in nothing that belongs to another post of the same words', async () => {
    const [author, asker] = await Promise.all([network.createAccount({}), network.createAccount({})]);
    const post = await author.post({ text: 'said once' });
    const claim = { content: 'said once', author: author.handle, authorUsername: author.handle };
    const address = (key: string) => `https://bsky.app/profile/${author.did}/post/${key}`;
    const other =
      post.uri
        .split('/')
        .at(-1)
        ?.replace(/.$/, (last) => (last === '2' ? '3' : '2')) ?? '';
    const id = blueskyId(`${post.uri.slice(0, post.uri.lastIndexOf('/'))}/${other}`);
    await send({ id, url: address(other), timestamp: '2020-02-02T20:20:20.000Z', ...claim });
    const ask = await asker.post({ text: `@${keeper.handle} save`, mentions: [keeper], quote: post });
    await reply(asker, ask.uri);
    expect(await kept(id)).toMatchObject({ authorId: null, capture: { method: 'ingest', signed: false } });
  });

  it('makes nobody its author, also where a token was launched from it', async () => {
    const { author, saved } = await forged({ launched: true }, 'what I said');
    expect(saved).toMatchObject({ author: author.handle, authorId: author.did, capture: { signed: true } });
  });

  it('makes nobody its author: the platform says who that is', async () => {
    const [author, thief, asker] = [
      await network.createAccount({}),
      await network.createAccount({}),
      await network.createAccount({}),
    ];
    const post = await author.post({ text: 'mine alone' });
    const links = [{ start: 0, end: 4, url: 'https://thief.example/', title: null }];
    const quoted = { platform: 'x', id: '20', url: 'https://x.com/jack/status/20' };
    const who = { author: 'Thief', authorUsername: thief.handle, authorId: thief.did };
    const claim = { content: 'mine alone', ...who, links, quoted, sensitive: true, language: 'de' };
    const [, , , , key] = post.uri.split('/');
    const url = `https://bsky.app/profile/${author.did}/post/${key}`;
    await send({ id: blueskyId(post.uri), url, timestamp: '2020-02-02T20:20:20.000Z', ...claim });
    const ask = await asker.post({ text: `@${keeper.handle} save`, mentions: [keeper], quote: post });
    const answer = await reply(asker, ask.uri);
    const told = await kept(blueskyId(post.uri));
    expect(told).toMatchObject({
      author: author.handle,
      authorUsername: author.handle,
      authorId: author.did,
      links: [],
      quoted: null,
      sensitive: false,
      capture: { method: 'bluesky', signed: true },
    });
    expect(told.timestamp).not.toBe('2020-02-02T20:20:20.000Z');
    // Lists and counts use the current author, in the index too.
    const list = async (handle: string) =>
      (await request(api.app).get('/amber/archives').query({ handle })).body.pagination.total;
    await until(async () => ((await list(author.handle)) === 1 && (await list(thief.handle)) === 0 ? true : null));
    const at = { root: post, parent: { uri: answer.uri, cid: answer.cid } };
    await thief.post({ text: 'remove', reply: at });
    const all = await thief.post({ text: `@${keeper.handle} remove all`, mentions: [keeper] });
    expect((await reply(thief, all.uri)).text).toContain('0 of your posts');
    expect((await kept(blueskyId(post.uri))).content).toBe('mine alone');
    const word = await author.post({ text: 'remove', reply: at });
    expect((await reply(author, word.uri)).text).toContain('removed');
  });

  it('puts no words into anybody’s mouth: they are the platform’s, and the post is no longer the agent’s', async () => {
    const { id, saved } = await forged({});
    expect(saved).toMatchObject({ content: 'what I said', capture: { method: 'bluesky', signed: true } });
    const found = async (search: string) =>
      (await request(api.app).get('/amber/archives').query({ search, handle: saved.authorUsername })).body.pagination
        .total;
    await until(async () => ((await found('what I never said')) === 0 && (await found('what I said')) === 1) || null);
    expect(await api.context.posts.store.find(id)).not.toHaveProperty('savedBy');
  });

  it('keeps what it sent, without a platform’s word for it, where a token was launched from it', async () => {
    const { saved } = await forged({ launched: true });
    expect(saved).toMatchObject({ content: 'what I never said', authorId: null, capture: { signed: false } });
  });

  it('takes no post for another: what is asked for is kept, with its own words', async () => {
    const [author, asker] = await Promise.all([network.createAccount({}), network.createAccount({})]);
    const [first, second] = [await author.post({ text: 'the first' }), await author.post({ text: 'the second' })];
    const ask = async (quote: RecordRef) => {
      const asked = await asker.post({ text: `@${keeper.handle} save`, mentions: [keeper], quote });
      return reply(asker, asked.uri);
    };
    await ask(first);
    const { content, author: name, authorUsername, url } = await kept(blueskyId(first.uri));
    const words = { content, author: name, authorUsername, timestamp: new Date().toISOString() };
    await send(
      { ...words, id: blueskyId(second.uri), url: url.replace(/[^/]+$/, second.uri.split('/').at(-1) ?? '') },
      200,
    );
    expect((await kept(blueskyId(second.uri))).content).toBe('the first');
    await ask(second);
    expect((await kept(blueskyId(second.uri))).content).toBe('the second');
    expect((await kept(blueskyId(first.uri))).content).toBe('the first');
  });

  /** A post of a real author. An agent has sent false words under its id before anyone asked for it. */
  async function forged(fields: object, content = 'what I never said') {
    const [author, asker] = await Promise.all([network.createAccount({}), network.createAccount({})]);
    const post = await author.post({ text: 'what I said' });
    const words = { content, author: 'Me', authorUsername: author.handle };
    const id = blueskyId(post.uri);
    const url = `https://bsky.app/profile/${author.did}/post/${post.uri.split('/').at(-1)}`;
    await send({ id, url, timestamp: new Date().toISOString(), ...words });
    await api.context.database.db.collection('posts').updateOne({ ids: id }, { $set: fields });
    const ask = await asker.post({ text: `@${keeper.handle} save`, mentions: [keeper], quote: post });
    await reply(asker, ask.uri);
    return { author, id, saved: await kept(id) };
  }
});

describe('a kept post whose author', () => {
  /** A saved post with a picture, requested by `asker`. Returns its ids on the platform and here. */
  async function savedPost() {
    const [author, asker] = await Promise.all([network.createAccount({}), network.createAccount({})]);
    const bytes = await aPicture({ width: 90, height: 60 });
    const images = [{ bytes, width: 90, height: 60 }];
    const post = await author.post({ text: 'words that may change', images });
    const ask = await asker.post({ text: `@${keeper.handle}`, mentions: [keeper], quote: post });
    await reply(asker, ask.uri);
    const [repo, rkey] = [author.did, post.uri.split('/').at(-1) as string];
    const name = { repo, collection: 'app.bsky.feed.post', rkey };
    const { value } = await author.call<{ value: object }>('com.atproto.repo.getRecord', { params: name });
    const write = (record: object) =>
      author.call<{ cid: string }>('com.atproto.repo.putRecord', { input: { ...name, record } });
    return { author, bytes, post, id: blueskyId(post.uri), value, write };
  }
  const hurry = (id: string) => api.context.posts.arrived.hurryLooks({ ids: [id] }, new Date(0));

  it('deletes it goes out of sight with its picture, and comes back with it', async () => {
    const { author, bytes, post, id, value, write } = await savedPost();
    const [picture] = (await kept(id)).media;
    await author.deletePost(post);
    await hurry(id);
    const gone = await worked(async () => {
      const answer = await request(api.app).get(`/amber/archives/${id}`);
      return answer.status === 410 ? answer : null;
    });
    expect(gone.body.detail).toMatch(/^Deleted by its author\./);
    await untilServed(picture?.url, 404);
    const asker = await network.createAccount({});
    const ask = await asker.post({ text: `@${keeper.handle} save`, mentions: [keeper], quote: post });
    expect((await reply(asker, ask.uri)).text).toContain('has deleted this post');
    // A pending request for the same post now fails, and removes nothing.
    const { _id } = (await api.context.posts.store.find(id)) as { _id: ObjectId };
    await dropUnused(api.context, { ids: { [id]: _id } } as unknown as SaveDocument);
    // The author's server had deleted the picture too, so upload it again.
    await author.upload(bytes);
    await write(value);
    await api.context.database.db.collection('posts').updateMany({ ids: id }, { $set: { lookDueAt: new Date(0) } });
    await worked(async () => ((await request(api.app).get(`/amber/archives/${id}`)).status === 200 ? true : null));
    await untilServed(picture?.url, 200);
    expect(await kept(id)).toMatchObject({ content: 'words that may change', source: { state: 'live' } });
  });

  it('changes it shows what was asked for, and what it says now beside it', async () => {
    const { id, value, write } = await savedPost();
    await write({ ...value, text: 'other words' });
    await hurry(id);
    const changed = await worked(async () => {
      const post = await kept(id);
      return post.source.state === 'edited' ? post : null;
    });
    expect(changed).toMatchObject({ content: 'words that may change', versions: [{ content: 'other words' }] });
  });
});

describe('all that was kept', () => {
  it('bears its author’s signature, by the library of Bluesky’s own servers too', async () => {
    const posts = await api.context.database.db
      .collection<{ id: string; content: string; _id: ObjectId }>('posts')
      .find({ isFromPlatform: true })
      .toArray();
    for (const { _id, id, content } of posts) {
      const { car, key, did } = (await captures().findOne({ _id }))?.signed ?? {};
      const rkey = id.split('-').at(-1) as string;
      const record = car && key && did && (await verifyRecord(car.buffer, { did, key, rkey }));
      expect([id, record]).toEqual([id, expect.objectContaining({ text: content })]);
    }
    expect(posts.length).toBeGreaterThan(5);
  });
});
