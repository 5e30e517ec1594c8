import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newPostSchema } from '@archive/contracts/schemas';
import { aPicture } from '@archive/testing/media';
import { until } from '@archive/tiers';
import { CODEC_RAW, create, toString as toText } from '@atcute/cid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { Registry } from 'prom-client';
import type { Database } from '../src/db/database.ts';
import type { WantedMedia } from '../src/media/fetch-media.ts';
import { Flows } from '../src/metrics/flows.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { CaptureStore } from '../src/saves/capture-store.ts';
import { keepFetched } from '../src/saves/keep-fetched.ts';
import { retryMedia } from '../src/saves/retry-media.ts';
import type { SaveDocument } from '../src/saves/save-document.ts';
import type { FetchedPost } from '../src/sources/source.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const PICTURE_BYTES = 1_000_000;
const NEVER = new AbortController().signal;
const FILE = { sha256: 'f'.repeat(64), bytes: PICTURE_BYTES, width: 1, height: 1, durationMs: null, thumbhash: null };

describe('bytes of media in a day', () => {
  let api: TestApi;
  let count = 0;
  let fetchedBytes = 0;
  let answer: () => Promise<object>;

  beforeAll(async () => {
    // One asker may have two of the 32 pictures for all.
    api = await startTestApi({ env: { MEDIA_MB_PER_DAY: '32', MEDIA_MAX_MB: '1' } });
  });

  beforeEach(async () => {
    await collection('agent_budgets').deleteMany({});
    await collection('posts').updateMany({}, { $unset: { mediaDueAt: '' } });
    fetchedBytes = 0;
    answer = async () => FILE;
  });

  afterAll(() => api.close());

  const collection = (name: string) => api.context.database.db.collection(name);
  const tomorrow = () => new Date(Math.floor(api.context.database.clock.now().getTime() / 86_400_000 + 1) * 86_400_000);

  function needsAt(now?: Date) {
    const { context } = api;
    const fetch = async ({ onBytes }: Pick<WantedMedia, 'onBytes'>) => {
      const found = await answer();
      if ('bytes' in found) fetchedBytes += PICTURE_BYTES;
      if ('bytes' in found || ('refused' in found && found.refused === 'other_bytes')) onBytes?.(PICTURE_BYTES);
      return found as never;
    };
    const { db, clock } = context.database;
    const database = { db, clock: { now: () => now ?? clock.now() } } as Database;
    const sources = { byPlatform: new Map() };
    return { ...context, database, sources, media: { ...context.media, fetch }, captures: new CaptureStore(db) };
  }

  /** Saves a post with one picture. Returns the stored post. */
  async function save(askedBy: SaveDocument['askedBy'], network?: string) {
    const id = `with-picture-${++count}`;
    const url = `https://bsky.app/profile/did:plc:one/post/${id}`;
    const key = `key ${id}`;
    const post = newPostSchema.parse(newPost({ id, content: id, authorId: 'did:plc:one', url }));
    const asked: FetchedPost = {
      target: { platform: 'bluesky', id, url, address: url },
      post: { ...post, authorId: 'did:plc:one', media: [{ type: 'image', key, address: `https://cdn.example/${id}` }] },
      blobs: { [key]: { url: 'https://own.example/blob', cid: key, size: PICTURE_BYTES } },
      // No evidence, because its bytes would count too.
      raw: new Uint8Array(),
    };
    const request = { _id: new ObjectId(), via: 'save', platform: 'bluesky', askedBy, ...(network && { network }) };
    const kept = await keepFetched(needsAt(), { asked, others: [] }, { save: request as SaveDocument, signal: NEVER });
    expect(kept.status).toBe('kept');
    return collection('posts').findOne({ id });
  }

  const saveTimes = async (times: number, ...by: Parameters<typeof save>) => {
    for (let time = 0; time < times; time++) await save(...by);
  };

  const account = (id: string) => ({ kind: 'account', id }) as const;
  const wallet = (id: string) => ({ kind: 'wallet', id }) as const;

  it('are no more for one account than its share; its posts are kept, and another account is still served', async () => {
    const flows = new Flows();
    const registry = new Registry();
    flows.register(registry, 'amber');
    const refusedBytes = async () =>
      [...(await registry.metrics()).matchAll(/^amber_media_refused_bytes_total(.*)$/gm)].map(([, line]) => line);
    const request = '{budget="request"} 0';
    expect(await refusedBytes()).toEqual([request, '{budget="share"} 0', '{budget="all"} 0']);
    flows.start();
    await saveTimes(4, account('did:plc:greedy'));
    const late = await save(account('did:plc:greedy'));
    flows.stop();
    expect(fetchedBytes).toBe(2 * PICTURE_BYTES);
    expect(await refusedBytes()).toEqual([request, `{budget="share"} ${3 * PICTURE_BYTES}`, '{budget="all"} 0']);
    expect(late).toMatchObject({ media: [{ type: 'image' }], mediaDueAt: tomorrow() });
    expect(JSON.stringify(await collection('agent_budgets').find().toArray())).not.toContain('greedy');
    expect(JSON.stringify(late)).not.toContain('greedy');
    expect((await save(account('did:plc:modest')))?.['media'][0].sha256).toBe(FILE.sha256);
  });

  it('are no more for one network, with however many wallets, nor for one wallet in however many networks', async () => {
    for (let at = 0; at < 4; at++) await save(wallet(`free ${at}`), '192.0.2.0/24');
    expect(fetchedBytes).toBe(2 * PICTURE_BYTES);
    for (let at = 0; at < 4; at++) await save(wallet('traveller'), `2001:db8:${at}::/48`);
    expect(fetchedBytes).toBe(4 * PICTURE_BYTES);
  });

  it('are no more for all who ask than the operator wants; requests of operators are not counted', async () => {
    for (let at = 0; at < 25; at++) await saveTimes(2, account(`did:plc:${at}`));
    expect(fetchedBytes).toBe(32 * PICTURE_BYTES);
    await saveTimes(2, { kind: 'operator', id: 'operator' });
    expect(fetchedBytes).toBe(34 * PICTURE_BYTES);
  });

  it('are reserved before they are fetched: of many fetches at once only those within the share begin', async () => {
    let go = () => {};
    const wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    let begun = 0;
    answer = async () => {
      begun++;
      await wait;
      return FILE;
    };
    const saving = Promise.all(Array.from({ length: 8 }, () => save(account('did:plc:hasty'))));
    const late = () => collection('posts').countDocuments({ mediaDueAt: { $exists: true } });
    await until(async () => begun > 2 || (await late()) === 6 || null);
    expect(begun).toBe(2);
    go();
    await saving;
    expect(fetchedBytes).toBe(2 * PICTURE_BYTES);
  });

  it('are given back where none came, and not where what came is of no use', async () => {
    answer = async () => ({ refused: 'unreachable', retry: true });
    await saveTimes(4, account('did:plc:unlucky'));
    const [day] = await collection('agent_budgets').find().toArray();
    expect([day?.['bytes'], Object.values(day?.['of'])]).toEqual([0, [0]]);
    answer = async () => ({ refused: 'other_bytes', retry: true });
    await saveTimes(2, account('did:plc:liar'));
    answer = async () => FILE;
    expect((await save(account('did:plc:liar')))?.['media'][0]).not.toHaveProperty('sha256');
    expect((await save(account('did:plc:unlucky')))?.['media'][0]).toHaveProperty('sha256');
  });

  it('come for a post that goes out of sight meanwhile, and stay out of sight with it', async () => {
    const { media, posts } = api.context;
    answer = async () => ({ refused: 'unreachable', retry: true });
    const waiting = (await save(account('did:plc:sealed'))) as unknown as PostDocument;
    await collection('posts').updateOne({ _id: waiting._id }, { $set: { mediaDueAt: new Date(0) } });
    const bytes = await aPicture();
    const post = waiting._id.toHexString();
    answer = async () => {
      const whole = (await posts.store.find(post)) as PostDocument;
      await media.seal(post, true);
      await posts.sealed.seal(whole, 'bluesky', 'deleted', api.context.database.clock.now());
      return media.keep(bytes, { post });
    };
    await retryMedia(needsAt(), NEVER);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await collection('media').findOne({ _id: sha256 as never })).not.toBeNull();
    expect(await media.served.find(sha256)).toBeNull();
  });

  it('are paid by who asked when they are fetched again, and of the next day they are new', async () => {
    await saveTimes(6, account('did:plc:patient'));
    const posts = collection('posts');
    const due = { mediaDueAt: { $exists: true } };
    await posts.updateMany(due, { $set: { mediaDueAt: new Date(0) } });
    await retryMedia(needsAt(), NEVER);
    expect(fetchedBytes).toBe(2 * PICTURE_BYTES);
    expect(await posts.distinct('mediaDueAt')).toEqual([tomorrow()]);
    await posts.updateMany(due, { $set: { mediaDueAt: new Date(0) } });
    await retryMedia(needsAt(new Date(tomorrow().getTime() + 1_000)), NEVER);
    const [day, ...before] = await collection('agent_budgets').find().toArray();
    expect([day?.['bytes'], before]).toEqual([2 * PICTURE_BYTES, []]);
    expect(await posts.countDocuments(due)).toBe(2);
    expect(await posts.countDocuments({ mediaPayers: { $exists: true }, ...due })).toBe(2);
  });
});

describe('ten gigabytes asked for in one request', () => {
  const SIZE = 24_900_000;
  const ASKED_POSTS = 101;
  const PICTURES = 4;
  const REQUEST_BYTES = 100_000_000;

  it('come as far as the bytes of a request go; all posts are kept', async () => {
    const picture = await aPicture();
    const blobOf = (at: number) => Buffer.concat([picture, Buffer.alloc(SIZE - picture.length, at + 1)]);
    const cids: string[] = [];
    for (let at = 0; at < 3 * PICTURES; at++) cids.push(toText(await create(CODEC_RAW, blobOf(at))));
    let asked = 0;
    const server = createServer((request, response) => {
      const bytes = blobOf(Number(request.url?.slice(1)));
      asked += bytes.length;
      response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': bytes.length }).end(bytes);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const api = await startTestApi({ env: { SOURCE_LOCAL_HOSTS: host, MEDIA_MAX_MB: '25' } });
    const posts = Array.from({ length: ASKED_POSTS }, (_, at): FetchedPost => {
      const url = `https://bsky.app/profile/did:plc:one/post/large-${at}`;
      const places = Array.from({ length: PICTURES }, (_, one) => at * PICTURES + one);
      const media = places.map((place) => ({ type: 'image' as const, key: `blob ${place}` }));
      const fields = { id: `large-${at}`, content: `large ${at}`, authorId: 'did:plc:one', url };
      const blobs = places.map((place) => [
        `blob ${place}`,
        { url: `http://${host}/${place}`, cid: cids[place] ?? 'another', size: SIZE },
      ]);
      return {
        target: { platform: 'bluesky', id: fields.id, url, address: url },
        post: { ...newPostSchema.parse(newPost(fields)), authorId: 'did:plc:one', media },
        blobs: Object.fromEntries(blobs),
        raw: Buffer.from('{}'),
      };
    });
    const [first, ...others] = posts as [FetchedPost, ...FetchedPost[]];
    const { db, clock } = api.context.database;
    const request = { _id: new ObjectId(), via: 'save', platform: 'bluesky', askedBy: { kind: 'wallet', id: 'one' } };
    const needs = { ...api.context, database: { db, clock } as Database, captures: new CaptureStore(db) };
    const kept = await keepFetched(needs, { asked: first, others }, { save: request as SaveDocument, signal: NEVER });
    expect(kept.status).toBe('kept');
    const keptPosts = await db.collection('posts').countDocuments({ id: /^large-/ });
    const files = await db.collection('media').find().toArray();
    const bytes = files.reduce((sum, file) => sum + Number(file['bytes']), 0);
    await api.close();
    server.closeAllConnections();
    server.close();
    expect(keptPosts).toBe(ASKED_POSTS);
    expect(files.length).toBe(Math.floor(REQUEST_BYTES / SIZE));
    expect([asked <= REQUEST_BYTES, bytes <= REQUEST_BYTES]).toEqual([true, true]);
  });
});

describe('evidence and categories of a day', () => {
  const CAR_BYTES = 50_000;
  const POSTS = 30;
  let api: TestApi;
  let asked = 0;
  let serial = 0;
  const service = createServer((request, response) => {
    asked++;
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { content: 'meme' } }] }));
  });

  beforeAll(async () => {
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const CATEGORISER_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
    // One asker may have one megabyte and two calls.
    api = await startTestApi({ env: { MEDIA_MB_PER_DAY: '16', CATEGORISER_URL, CATEGORISER_CALLS_PER_DAY: '32' } });
  });
  beforeEach(async () => {
    asked = 0;
    for (const name of ['agent_budgets', 'captures', 'posts']) await collection(name).deleteMany({});
  });
  afterAll(async () => {
    await api.close();
    service.close();
  });

  const collection = (name: string) => api.context.database.db.collection(name);
  const signed = (isSigned: boolean) => collection('posts').countDocuments({ 'origin.capture.signed': isSigned });

  /** Saves posts that are each signed. */
  async function save(askedBy: SaveDocument['askedBy'], posts = POSTS, isDiskShort = false) {
    const all = Array.from({ length: posts }, (): FetchedPost => {
      const id = `signed-${++serial}`;
      const url = `https://bsky.app/profile/did:plc:one/post/${id}`;
      return {
        target: { platform: 'bluesky', id, url, address: url },
        post: { ...newPostSchema.parse(newPost({ id, content: id, url })), authorId: 'did:plc:one' },
        raw: new Uint8Array(),
        signed: { car: Buffer.alloc(CAR_BYTES), key: 'zkey', did: 'did:plc:one' },
      };
    });
    const [first, ...others] = all as [FetchedPost, ...FetchedPost[]];
    const media = { ...api.context.media, isDiskShort: async () => isDiskShort };
    const needs = { ...api.context, media, captures: api.context.saves.captures };
    const request = { _id: new ObjectId(), via: 'save', platform: 'bluesky', askedBy } as SaveDocument;
    const kept = await keepFetched(needs, { asked: first, others }, { save: request, signal: NEVER });
    expect(kept.status).toBe('kept');
  }

  it('are no more for one asker than its shares: its posts are kept unsigned, and sorted by the classifier', async () => {
    await save({ kind: 'wallet', id: 'greedy' });
    expect([await signed(true), await signed(false)]).toEqual([1_000_000 / CAR_BYTES, POSTS - 1_000_000 / CAR_BYTES]);
    const [{ bytes }] = (await collection('captures')
      .aggregate([{ $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }])
      .toArray()) as [{ bytes: number }];
    expect(bytes).toBeLessThan(1_000_000 + POSTS * 1_000);
    expect([asked, await collection('posts').countDocuments({ category: 'meme' })]).toEqual([2, 2]);
    await save({ kind: 'wallet', id: 'modest' }, 1);
    expect([asked, await signed(true)]).toEqual([3, 1_000_000 / CAR_BYTES + 1]);
  });

  it('are no more for all who ask; an operator has as many as they want', async () => {
    for (let wallet = 0; wallet < 20; wallet++) await save({ kind: 'wallet', id: `wallet ${wallet}` }, 2);
    expect(asked).toBe(32);
    await save({ kind: 'operator', id: 'operator' }, 3);
    expect(asked).toBe(35);
  });

  it('of a short disk are posts without evidence', async () => {
    await save({ kind: 'operator', id: 'operator' }, 2, true);
    expect([await signed(true), await signed(false)]).toEqual([0, 2]);
  });
});
