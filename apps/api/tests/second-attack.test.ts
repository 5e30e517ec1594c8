import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newPostSchema } from '@archive/contracts/schemas';
import { startXStandIn } from '@archive/x-stand-in';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { DailySpending } from '../src/agent/daily-spending.ts';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import type { PostDocument } from '../src/posts/post-document.ts';
import { CaptureStore } from '../src/saves/capture-store.ts';
import { grantWish } from '../src/saves/grant-wish.ts';
import { keepFetched } from '../src/saves/keep-fetched.ts';
import { lookAgain } from '../src/saves/look-again.ts';
import type { SaveDocument } from '../src/saves/save-document.ts';
import type { Fetched, FetchedPost } from '../src/sources/source.ts';
import { targetOf as targetOnX } from '../src/sources/x/addresses.ts';
import { XAccount } from '../src/sources/x/x-account.ts';
import { XClient } from '../src/sources/x/x-client.ts';
import { XSource } from '../src/sources/x/x-source.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const NEVER = new AbortController().signal;

function work(askedBy: SaveDocument['askedBy'], platform = 'bluesky', network?: string) {
  const save = { _id: new ObjectId(), via: 'save', platform, askedBy, ...(network && { network }) };
  return { save: save as unknown as SaveDocument, signal: NEVER };
}

function told(fields: Record<string, unknown>, authorId = 'did:plc:one'): FetchedPost {
  const url = `https://bsky.app/profile/${authorId}/post/${String(fields['id'])}`;
  const post = newPostSchema.parse(newPost({ authorId, url, ...fields }));
  return {
    target: { platform: 'bluesky', id: post.id, url: post.url, address: post.url },
    post: { ...post, authorId },
    raw: Buffer.from(`{"record":{"text":${JSON.stringify(post.content)}}}`),
  };
}

describe('reads of X', () => {
  it('are left to mentions by looks at what was saved', async () => {
    const api = await startTestApi({ env: { AGENT_READS_PER_DAY: '400' } });
    const x = await startXStandIn();
    const spending = new DailySpending(api.context, 'x');
    const client = new XClient({ baseUrl: x.url, credentials: x.credentials, spending, log: { error: () => {} } });
    const source = new XSource(client, { maxVideoBytes: 1 });
    const account = new XAccount(client, { handle: 'amberkeeps', pollMs: 0 });
    const since = new Date(Date.now() - 60_000);
    await account.mentions(null, since, NEVER);
    // Six /48 networks, each within its eighth; together within three quarters.
    for (let net = 0; net < 6; net++) {
      const ada = x.network.account(`attacker${net}`);
      const parts: { id: string }[] = [];
      for (let at = 0; at < 50; at++) {
        const last = parts.at(-1);
        parts.push(x.network.post(ada, `part ${net} ${at}`, last ? { replyTo: last as never } : {}));
      }
      const payer = `2001:db8:${net}::/48`;
      const fetched = await source.fetch(targetOnX(parts[0]?.id ?? ''), { thread: true, payer }, NEVER);
      await keepFetched(
        { ...api.context, captures: new CaptureStore(api.context.database.db) },
        fetched,
        work({ kind: 'wallet', id: `w${net}` }, 'x', payer),
      );
    }
    const budgets = api.context.database.db.collection('agent_budgets');
    expect((await account.mentions(null, since, NEVER)).mentions).toEqual([]);
    const { db } = api.context.database;
    await db.collection('posts').updateMany({}, { $set: { lookDueAt: new Date(0) } });
    const needs = { ...api.context, sources: { byPlatform: new Map([['x', source]]) } };
    while (await lookAgain(needs as never, NEVER)) {
      if (((await budgets.findOne({ _id: /^x/ as never }))?.['reads'] ?? 0) >= 400) break;
    }
    const victim = x.network.account('victim');
    x.network.post(victim, '@amberkeeps remove', { replyTo: x.network.post(victim, 'mine') as never });
    const heard = await account.mentions(null, since, NEVER).then(
      ({ mentions }) => mentions.length,
      (error: Error) => error.message,
    );
    await x.close();
    await api.close();
    expect(heard).toBe(1);
  });
});

describe('bytes of media', () => {
  let api: TestApi;
  let server: Server;
  let how: 'endless' | 'cut' | 'byte' = 'endless';

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'image/jpeg' });
      if (how === 'byte') return void response.end('x');
      const chunk = Buffer.alloc(50_000, 1);
      let mine = 0;
      const push = () => {
        if (response.destroyed) return;
        if (how === 'cut' && mine >= 950_000) return void response.destroy();
        mine += chunk.length;
        response.write(chunk, () => setImmediate(push));
      };
      push();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    api = await startTestApi({ env: { MEDIA_MB_PER_DAY: '32', MEDIA_MAX_MB: '1', SOURCE_LOCAL_HOSTS: host } });
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await api.close();
  });

  const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku';
  let serial = 0;
  async function save(askedBy: SaveDocument['askedBy'], pictures = 4, size?: number) {
    const id = `media-${++serial}`;
    const one = told({ id, content: id });
    const { port } = server.address() as AddressInfo;
    const keys = Array.from({ length: pictures }, (_, at) => `${id} ${at}`);
    const asked: FetchedPost = {
      ...one,
      post: { ...one.post, media: keys.map((key) => ({ type: 'image' as const, key })) },
      blobs: Object.fromEntries(keys.map((key) => [key, { url: `http://127.0.0.1:${port}/${key}`, cid, size }])),
    };
    await keepFetched(
      { ...api.context, captures: new CaptureStore(api.context.database.db) },
      { asked, others: [] } as Fetched,
      work(askedBy),
    );
    return api.context.database.db.collection('posts').findOne({ id });
  }
  it.each(['endless', 'cut'] as const)('that came are paid for where they are of no use (%s)', async (kind) => {
    how = kind;
    const budgets = api.context.database.db.collection('agent_budgets');
    await budgets.deleteMany({});
    for (let at = 0; at < 5; at++) await save({ kind: 'account', id: 'bluesky:did:plc:liar' }, 4, 900_000);
    // A sixteenth of the day's budget, less at most one picture.
    const { bytes } = (await budgets.findOne({ bytes: { $exists: true } })) as unknown as { bytes: number };
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThanOrEqual(2_000_000);
  });

  it('are paid for as they came: sixteen accounts do not spend the day of all with a byte each', async () => {
    how = 'byte';
    await api.context.database.db.collection('agent_budgets').deleteMany({});
    for (let at = 0; at < 16; at++) await save({ kind: 'account', id: `bluesky:did:plc:${at}` }, 4);
    const honest = await save({ kind: 'account', id: 'bluesky:did:plc:honest' }, 1);
    const tomorrow = new Date(Math.floor(Date.now() / 86_400_000 + 1) * 86_400_000);
    expect(honest?.['mediaDueAt']).not.toEqual(tomorrow);
  });
});

describe('looks at what was saved', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  it('come seldom to a post of which they tell nothing, and to one that is hurried before all others', async () => {
    const { context } = api;
    const posts = context.database.db.collection<PostDocument>('posts');
    const captures = new CaptureStore(context.database.db);
    for (let at = 0; at < 30; at++) {
      const one = told({ id: `silent-${at}`, content: `silent ${at}` });
      await keepFetched({ ...context, captures }, { asked: one, others: [] }, work({ kind: 'account', id: 'a' }));
    }
    const now = context.database.clock.now().getTime();
    const ofAge = { savedAt: new Date(now - 20 * 60_000), lookDueAt: new Date(now - 10 * 60_000) };
    await posts.updateMany({}, { $set: ofAge, $unset: { source: '' } });
    await posts.updateOne({ id: 'silent-29' }, { $set: { lookDueAt: new Date(now - 1_000) } });
    await context.posts.arrived.hurryLooks({ ids: ['silent-29'] }, context.database.clock.now());
    const looked: string[][] = [];
    const source = {
      platform: 'bluesky',
      resolve: async (url: string) => ({ platform: 'bluesky', id: url.split('/').at(-1), url, address: url }),
      // As if each author's server hung.
      look: async (targets: { id: string }[]) => {
        looked.push(targets.map(({ id }) => id));
        return new Map();
      },
    };
    const needs = { ...context, sources: { byPlatform: new Map([['bluesky', source]]) } };
    await lookAgain(needs as never, NEVER);
    expect(looked[0]?.[0]).toBe('silent-29');
    const [first] = await posts.find({ id: 'silent-29' }).toArray();
    const waitMs = (first?.lookDueAt?.getTime() ?? 0) - now;
    expect(waitMs).toBeGreaterThanOrEqual(20 * 60_000);
    expect(waitMs).toBeLessThan(25 * 60_000);
  });
});

describe('words', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  it('of a removed post do not stay as evidence where a process is killed', async () => {
    const { context } = api;
    const { db } = context.database;
    const did = `did:plc:${'s'.repeat(24)}`;
    const address = `at://${did}/app.bsky.feed.post/3kaaaaaaaaaaa`;
    const view = {
      uri: address,
      cid: 'c',
      author: { did, handle: 's.example' },
      indexedAt: '2026-01-01T00:00:00Z',
      record: { text: 'words to be forgotten', createdAt: '2026-01-01T00:00:00Z' },
    };
    const made = told({ id: 'secret', content: 'words to be forgotten' }, did);
    const one: FetchedPost = { ...made, target: { ...made.target, address }, raw: Buffer.from(JSON.stringify(view)) };
    const killed = new (class extends CaptureStore {
      override async keep(...args: Parameters<CaptureStore['keep']>): Promise<void> {
        // The author has the post removed, and a second worker has emptied it.
        await context.posts.store.remove(args[0]);
        await super.drop([args[0]]);
        await context.posts.arrived.markEmptied(args[0]);
        await super.keep(...args);
        throw new Error('killed');
      }
    })(db);
    const asked = { asked: one, others: [] };
    const request = work({ kind: 'account', id: 'a' });
    await expect(keepFetched({ ...context, captures: killed }, asked, request)).rejects.toThrow('killed');
    // After the restart the request resumes from the state 'fetched'.
    expect(await keepFetched({ ...context, captures: new CaptureStore(db) }, asked, request)).toEqual({
      status: 'refused',
      reason: 'removed',
    });
    const left = await db.collection('captures').findOne({ address: one.target.address });
    expect(left).toBeNull();
  });

  it('an id that a key has added is not refused when the post it was added to is removed', async () => {
    const { context } = api;
    const captures = new CaptureStore(context.database.db);
    const names = { author: 'Eve', authorUsername: 'eve.example', content: 'bait' };
    const bait = told({ id: 'bait', ...names }, 'did:plc:eve');
    const kept = await keepFetched(
      { ...context, captures },
      { asked: bait, others: [] },
      work({ kind: 'account', id: 'e' }),
    );
    await ingestPosts(context, [newPost({ ...names, id: 'not-kept-yet', url: bait.post.url })], { savedBy: 'key' });
    await context.posts.store.remove((kept as { _id: ObjectId })._id);
    const other = told({ id: 'not-kept-yet', content: 'another author’s' }, 'did:plc:other');
    expect(
      await keepFetched({ ...context, captures }, { asked: other, others: [] }, work({ kind: 'account', id: 's' })),
    ).toMatchObject({ status: 'kept' });
  });

  it('"remove all" takes no hidden post whose author only an agent has claimed', async () => {
    const { context } = api;
    const did = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa';
    const url = `https://bsky.app/profile/${did}/post/3kaaaaaaaaaaa`;
    await ingestPosts(context, [newPost({ id: 'claimed', authorId: did, url })], { savedBy: 'key' });
    const { _id } = (await context.posts.store.find('claimed')) as PostDocument;
    await context.posts.sealed.hide(_id, 'rules');
    const save = {
      platform: 'bluesky',
      target: null,
      wish: 'remove all',
      askedBy: { kind: 'account', id: `bluesky:${did}`, handle: 'a.example' },
    };
    await grantWish(context, save as unknown as SaveDocument);
    expect(await context.posts.sealed.find(_id)).not.toBeNull();
  });

  it('"remove all" takes what is out of sight as well, of its author alone, and answers how many', async () => {
    const { context } = api;
    const { sealed, store } = context.posts;
    const captures = new CaptureStore(context.database.db);
    const did = 'did:plc:regrets';
    const keep = async (id: string, authorId = did) => {
      const asked = told({ id, content: `words of ${id}` }, authorId);
      await keepFetched({ ...context, captures }, { asked, others: [] }, work({ kind: 'account', id: 'a' }));
      return (await store.find(id)) as PostDocument;
    };
    const [shown, hidden, deleted] = [await keep('shown'), await keep('hidden'), await keep('deleted')];
    const another = await keep('of-another', 'did:plc:another');
    await sealed.hide(hidden._id, 'rules');
    for (const post of [deleted, another]) await sealed.seal(post, 'bluesky', 'deleted', context.database.clock.now());
    const askedBy = { kind: 'account', id: `bluesky:${did}`, handle: 'regrets.example' };
    const save = { platform: 'bluesky', target: null, wish: 'remove all', askedBy } as unknown as SaveDocument;
    expect(await grantWish(context, save)).toContain('3 of your posts were removed');
    expect(await store.find(shown.id)).not.toHaveProperty('content');
    for (const post of [hidden, deleted]) expect(await sealed.find(post._id)).toBeNull();
    expect(await sealed.find(another._id)).toMatchObject({ id: 'of-another' });
  });
});
