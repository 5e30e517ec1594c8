import { COLLECTION_POSTS, COLLECTIONS, ENDPOINTS, type EndpointName, SAVED_SEARCHES } from '@archive/contracts';
import { TestWallet } from '@archive/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

/**
 * The largest call sends ten commands, and one more in the first minutes of an hour, whose posts are counted
 * separately.
 */
const QUERIES_AT_MOST = 11;
const POSTS = 1_000;

type Reading = {
  [Name in EndpointName]: (typeof ENDPOINTS)[Name]['method'] extends 'GET' ? Name : never;
}[EndpointName];

let api: TestApi;
let token: string;
let open: string;
let save: string;

beforeAll(async () => {
  const wallet = new TestWallet();
  // Without rate limits, whose commands would be counted.
  api = await startTestApi({ env: { RATE_LIMITS: 'off', ADMIN_WALLETS: wallet.address } });
  const { database, saves, searches } = api.context;
  const thread = Array.from({ length: 100 }, (_, at) => newPost({ id: `part-${at}`, content: `part ${at}` }));
  await api.add(...thread, ...Array.from({ length: POSTS - thread.length }, () => newPost()));
  const posts = database.db.collection('posts');
  await posts.updateMany({ id: /^part-/ }, { $set: { threadRoot: 'part-0', authorId: 'one', isFromPlatform: true } });
  const ids = (await posts.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  token = (await wallet.signIn(api)).token;
  const [at, of] = [new Date(), wallet.address];
  const lists = Array.from({ length: COLLECTIONS }, (_, n) => ({
    ...{ _id: new ObjectId(), wallet: of, name: `list ${n}`, isPublic: n === 0, createdAt: at, changedAt: at },
  }));
  await database.db.collection('collections').insertMany(lists);
  const rows = lists.flatMap(({ _id }, n) =>
    ids.slice(0, n === 0 ? COLLECTION_POSTS : 20).map((post) => ({ collection: _id, post, at })),
  );
  await database.db.collection('collection_posts').insertMany(rows);
  open = lists[0]?._id.toHexString() ?? '';
  for (let n = 0; n < SAVED_SEARCHES; n++)
    await searches.store.add({
      wallet: of,
      name: `search ${n}`,
      query: `search=post+number+${n}`,
      createdAt: at,
      seenAt: at,
    });
  await database.db
    .collection('reactions')
    .insertMany(ids.map((post) => ({ post, wallet: of, type: 'heart', createdAt: at })));
  await saves.store.add(
    Array.from({ length: 200 }, (_, n) => ({
      ...{ key: `save ${n}`, platform: 'bluesky' as const, link: `https://bsky.app/profile/a.example/post/${n}` },
      ...{ target: null, wantsThread: false, askedBy: { kind: 'wallet' as const, id: of }, via: 'save' as const },
      ...{ state: 'stored' as const, reason: null, dueAt: at, endsAt: at, archiveId: ids[n] ?? null },
      ...{ reply: 'none' as const, createdAt: at },
    })),
  );
  save = ((await database.db.collection('saves').findOne({})) as { _id: ObjectId })._id.toHexString();
  // Stops background writes.
  await api.context.posts.follower.stop();
});

afterAll(() => api?.close());

/** The commands sent to the database for one call: the least of three tries, because background work sends some too. */
async function queriesOf(path: string): Promise<number> {
  const counts: number[] = [];
  for (let tries = 0; tries < 3; tries++) {
    api.context.posts.responses.forget();
    let count = 0;
    const hear = () => void count++;
    api.context.database.client.on('connectionCheckedOut', hear);
    const answer = await fetch(api.url + path, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    api.context.database.client.off('connectionCheckedOut', hear);
    counts.push(count);
  }
  return Math.min(...counts);
}

/** Exports read in batches with their own limits; the stream never ends. */
const LONG: EndpointName[] = ['exportArchives', 'exportCollection', 'exportAccount', 'exportLog', 'checkLog', 'live'];
const readings = (Object.keys(ENDPOINTS) as EndpointName[]).filter(
  (name): name is Reading => ENDPOINTS[name].method === 'GET' && !LONG.includes(name),
);
const QUERIES: Partial<Record<Reading, string>> = {
  getCollection: '?limit=100',
  listArchives: '?limit=100',
  listSaves: '?limit=100&mine=true',
  oembed: '?url=http%3A%2F%2Flocalhost%3A4000%2Fpost%2Fpart-0',
};

it.each(readings)('%s asks the database a few times, however much there is', async (name) => {
  const filled: Record<string, string> = { id: 'part-0', collection: open, save, handle: 'adabyron' };
  const path = ENDPOINTS[name].path.replace(/:(\w+)/g, (_, part: string) => filled[part] ?? '0'.repeat(24));
  expect(await queriesOf(path + (QUERIES[name] ?? ''))).toBeLessThanOrEqual(QUERIES_AT_MOST);
});

it.each(['atom', 'rss', 'json'])('a feed of a collection in %s asks the database a few times', async (format) => {
  expect(await queriesOf(`/feed.${format}?collection=${open}`)).toBeLessThanOrEqual(QUERIES_AT_MOST);
});
