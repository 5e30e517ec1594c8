import { randomBytes } from 'node:crypto';
import { type ArchivePage, SORT_FIELDS, SORT_ORDERS, type SortField } from '@archive/contracts';
import { IndexAwayError, type IndexedPost, toRemoval } from '@archive/search';
import { ClusterIndex } from '@archive/search/opensearch';
import { aPost } from '@archive/search/testing/a-post';
import { inOrder } from '@archive/search/testing/in-order';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import { Lease } from '../src/background/lease.ts';
import { ownWork } from '../src/clients.ts';
import { INDEX_LEASE } from '../src/posts/follow-index.ts';
import { PostsForIndex } from '../src/posts/posts-for-index.ts';
import { runCommand } from './_command-line.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const nodes = (process.env['TEST_SEARCH_URL'] ?? '').split(',');
const name = () => `test_${randomBytes(6).toString('hex')}`;

async function call(path: string, method = 'GET', body?: object): Promise<Record<string, never>> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${nodes[0]}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  // A GET may ask for something that does not exist.
  if (!answer.ok && method !== 'GET') throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, never>;
}

async function page({ url }: TestApi, query = ''): Promise<ArchivePage> {
  const answer = await fetch(`${url}/amber/archives?${query}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as ArchivePage;
}

/**
 * A page, once lists are answered. After a build a process first follows the new index, which takes longer on a busy
 * machine.
 */
const pageSoon = (api: TestApi, query?: string) => until(() => page(api, query).catch(() => null));

/** Deletes every document of an index. */
async function empty(index: string): Promise<void> {
  const { hits } = (await call(`/${index}/_search?size=10000&_source=false`)) as unknown as {
    hits: { hits: { _id: string }[] };
  };
  const lines = hits.hits.map(({ _id }) => `${JSON.stringify({ delete: { _index: index, _id } })}\n`).join('');
  const headers = { 'Content-Type': 'application/x-ndjson' };
  await fetch(`${nodes[0]}/_bulk?refresh=true`, { method: 'POST', headers, body: lines });
}

const NEWEST_FIRST = { sortBy: 'timestamp', sortOrder: 'desc' } as const;
const sum = (counts: number[]) => counts.reduce((one, other) => one + other, 0);
const idsOf = ({ data }: ArchivePage) => data.map(({ id }) => id);

describe('two processes over one cluster', () => {
  const databaseName = `test_${randomBytes(6).toString('hex')}`;
  const env = { SEARCH_INDEX: name(), RATE_LIMITS: 'off' };
  let one: TestApi;
  let two: TestApi;

  beforeAll(async () => {
    one = await startTestApi({ env, overrides: { databaseName } });
    two = await startTestApi({ env, overrides: { databaseName } });
  });

  afterAll(async () => {
    await two.close({ keepDatabase: true });
    await one.close();
  });

  /** Runs a command with the servers' settings. */
  const command = async (...words: string[]) => {
    const { SEARCH_URL } = process.env;
    Object.assign(process.env, { SEARCH_URL: process.env['TEST_SEARCH_URL'], SEARCH_INDEX: env.SEARCH_INDEX });
    const said = await runCommand(one, ...words);
    Object.assign(process.env, { SEARCH_URL });
    if (SEARCH_URL === undefined) delete process.env['SEARCH_URL'];
    delete process.env['SEARCH_INDEX'];
    return said;
  };

  const differences = async () => {
    const { database, reactions, posts } = one.context;
    const source = new PostsForIndex(database.db, reactions.store);
    // Another index may be switched in during the check, so retry.
    const { differences: found } = await until(() => posts.index.check(source.walkLive()).catch(() => null));
    return found;
  };

  /**
   * Waits until index and database agree. The other process may still be writing a change or recounting an author's
   * posts.
   */
  const agree = () => until(async () => (await differences()).length === 0);

  it('show what one saves at once, and the other soon', async () => {
    await one.add(newPost({ id: 'at-once', content: 'halyard' }));
    expect(idsOf(await pageSoon(one, 'search=halyard'))).toEqual(['at-once']);
    await until(async () => (await pageSoon(two, 'search=halyard')).pagination.total === 1);
    await agree();
  });

  it('forget what one removes, and an older change brings nothing back', async () => {
    await one.add(newPost({ id: 'goes', content: 'gunwale' }));
    const post = await one.context.posts.store.find('goes');
    const { database, reactions, posts } = one.context;
    const source = new PostsForIndex(database.db, reactions.store);
    const before: IndexedPost[] = [];
    for await (const indexed of source.walkLive()) before.push(indexed);
    await one.context.posts.store.remove(post?._id as ObjectId);
    expect((await pageSoon(one, 'search=gunwale')).pagination.total).toBe(0);
    await posts.index.mend(before);
    await until(async () => (await pageSoon(two, 'search=gunwale')).pagination.total === 0);
    await agree();
    expect((await posts.index.summary()).goneSince).not.toBeNull();
  });

  it('find posts of a thread as long as another of it is there', async () => {
    const posts = one.context.database.db.collection('posts');
    await one.add(newPost({ id: 'first' }), newPost({ id: 'second' }));
    const found = async () => idsOf(await pageSoon(one, 'q=has:thread&sortOrder=asc'));
    const ids = await posts.find({ id: { $in: ['first', 'second'] } }).toArray();
    await posts.updateOne(
      { id: 'first' },
      { $set: { threadRoot: 'first' }, $currentDate: { changedAt: { $type: 'timestamp' } } },
    );
    await agree();
    expect(await found()).toEqual([]);
    await posts.updateOne(
      { id: 'second' },
      { $set: { threadRoot: 'first' }, $currentDate: { changedAt: { $type: 'timestamp' } } },
    );
    await until(async () => (await found()).length === 2);
    await one.context.posts.store.remove(ids[1]?._id as ObjectId);
    await until(async () => (await found()).length === 0);
    await agree();
  });

  it('build the index again where it is deleted, and answer nothing wrong meanwhile', async () => {
    const { total } = (await pageSoon(one)).pagination;
    const indexes = Object.keys(await call(`/_alias/${env.SEARCH_INDEX}`));
    await call(`/${indexes.join()}`, 'DELETE');
    const seen = new Set<number | string>();
    // It stays ready, because no other process could serve better.
    expect((await fetch(`${two.url}/ready`)).status).toBe(200);
    await until(async () => {
      const answer = await fetch(`${two.url}/amber/archives?limit=1&search=e${seen.size}`);
      if (answer.status === 503) seen.add(((await answer.json()) as { code: string }).code);
      return Object.keys(await call(`/_alias/${env.SEARCH_INDEX}`)).some((index) => index.startsWith(env.SEARCH_INDEX));
    });
    // A look that meets the deletion itself finds a part of the index away, until the next look.
    expect([...seen].filter((code) => code !== 'starting' && code !== 'search_unavailable')).toEqual([]);
    expect([...seen]).toContain('starting');
    await until(async () => (await page(two).catch(() => null))?.pagination.total === total);
    await agree();
  });

  it('build it again where it is emptied', async () => {
    const many = Array.from({ length: 300 }, (_, index) => newPost({ id: `many-${index}` }));
    await one.add(...many);
    // Waits, because a process that recounts an author's posts would write some of them again.
    await agree();
    const { total } = (await pageSoon(one)).pagination;
    const { index } = one.context.posts;
    const [now, asker] = [Date.now(), { client: ownWork('a test') }];
    /** Each returns the number of posts. */
    const questions = {
      list: async () => (await page(one, 'limit=2')).pagination.total,
      timeline: async () =>
        sum((await index.ask('timeline', { filter: {}, now }, asker)).counts.map(({ posts }) => posts)),
      explore: async () => (await index.ask('explore', { now }, asker)).total,
      analytics: async () => sum((await index.ask('analytics', { now }, asker)).categories.map(({ posts }) => posts)),
      export: async () => {
        let posts = 0;
        for await (const chunk of index.export({}, NEWEST_FIRST, now)) posts += chunk.length;
        return posts;
      },
    };
    const [was] = Object.keys(await call(`/_alias/${env.SEARCH_INDEX}`));
    await empty(env.SEARCH_INDEX);
    one.context.posts.responses.forget();
    const answers = new Set<string>();
    await until(async () => {
      // All at once, before another index is switched in.
      const asked = Object.entries(questions).map(async ([question, ask]) => {
        const answer = await ask().then(String, (error) => {
          // A question may meet the switch of the index.
          if (error instanceof IndexAwayError || /"(starting|search_unavailable)"/.test(String(error))) return 'away';
          throw error;
        });
        answers.add(`${question}: ${answer}`);
      });
      await Promise.all(asked);
      return !Object.keys(await call(`/_alias/${env.SEARCH_INDEX}`)).includes(was as string);
    });
    const away = Object.keys(questions).map((question) => `${question}: away`);
    expect([...answers]).toEqual(expect.arrayContaining(away));
    const whole = Object.keys(questions).map((question) => `${question}: ${total}`);
    expect([...answers].filter((answer) => ![...whole, ...away].includes(answer))).toEqual([]);
    await until(async () => (await page(one, 'limit=3').catch(() => null))?.pagination.total === total);
    await agree();
  });

  it('answer every question while another index takes the place of one', async () => {
    const { total } = (await pageSoon(one)).pagination;
    let isOver = false;
    const answers = new Set<string>();
    const ask = async (api: TestApi) => {
      while (!isOver) {
        api.context.posts.responses.forget();
        answers.add(await page(api, 'limit=5').then(({ pagination }) => `${pagination.total} posts`, String));
      }
    };
    const asking = [one, two].map(ask);
    const said = [await command('index', 'build'), await command('index', 'build')];
    isOver = true;
    await Promise.all(asking);
    expect(said.filter(({ code }) => code !== 0)).toEqual([]);
    expect([...answers]).toEqual([`${total} posts`]);
  });

  it('remove what a killed build has left, and nothing else', async () => {
    const left = `${env.SEARCH_INDEX}-posts-1`;
    await call(`/${left}`, 'PUT', { aliases: { [`${env.SEARCH_INDEX}-next-1`]: {} } });
    const { total } = (await pageSoon(one, 'limit=4')).pagination;
    await two.context.posts.index.tidy();
    expect(Object.keys(await call(`/${env.SEARCH_INDEX}-posts-*`))).not.toContain(left);
    expect((await pageSoon(one, 'limit=5')).pagination.total).toBe(total);
  });

  it('build it again where the database is an older copy of itself', async () => {
    const { db } = one.context.database;
    await one.add(newPost({ id: 'copied', content: 'jackstay' }));
    const before = await db.collection('posts').findOne({ id: 'copied' });
    await one.context.posts.store.remove(before?._id as ObjectId);
    await until(async () => (await pageSoon(two, 'search=jackstay')).pagination.total === 0);
    await db.collection('posts').replaceOne({ _id: before?._id as ObjectId }, before as object);
    await db.collection<{ _id: string }>('archive_state').updateMany({}, { $inc: { beat: -1_000 } });
    const three = await startTestApi({ env, overrides: { databaseName } });
    await until(async () => (await page(three, 'search=jackstay').catch(() => null))?.pagination.total === 1);
    await three.close({ keepDatabase: true });
  });

  it('are away while the index is that of a newer release, which stays', async () => {
    const { total } = (await pageSoon(one, 'limit=6')).pagination;
    const { epoch } = (await one.context.database.db.collection('archive_state').findOne()) as Record<string, unknown>;
    // Holds the builder's lease, so that no other process builds or tidies up.
    const lease = new Lease(one.context.database.db, INDEX_LEASE);
    await until(() => lease.take());
    const [held] = Object.keys(await call(`/_alias/${env.SEARCH_INDEX}`));
    const newer = `${env.SEARCH_INDEX}-posts-9`;
    await call(`/${newer}`, 'PUT', { mappings: { _meta: { epoch, schema: 999 } } });
    const add = { index: newer, alias: env.SEARCH_INDEX };
    await call('/_aliases', 'POST', { actions: [{ remove_index: { index: held } }, { add }] });
    await lease.end();
    const sentence = 'a newer release has built the index of the search cluster: update this one';
    for (const api of [one, two]) await until(() => api.context.posts.follower.trouble === sentence);
    await expect(page(one, 'limit=7')).rejects.toThrow('503');
    const ready = await fetch(`${two.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ status: 'outdated', search: sentence }),
    ]);
    expect(Object.keys(await call(`/_alias/${env.SEARCH_INDEX}`))).toEqual([newer]);
    await call(`/${newer}`, 'DELETE');
    await until(async () => (await page(two, 'limit=8').catch(() => null))?.pagination.total === total);
    await agree();
  });

  it('are refused where the index is that of another archive, until it is dropped', async () => {
    const sentence = 'is that of another archive: set SEARCH_INDEX to another name, or delete it by "amber index drop"';
    await expect(startTestApi({ env })).rejects.toThrow(sentence);
    const said = await command('index', 'drop');
    expect(said).toMatchObject({
      code: 0,
      out: `The index ${env.SEARCH_INDEX} of the search cluster is deleted. A server that still uses the cluster builds it again.\n`,
    });
  });
});

test('without its cluster a process answers single posts, and tells lists that it cannot', async () => {
  const api = await startTestApi({ env: { SEARCH_URL: 'http://127.0.0.1:9' }, start: false });
  try {
    await api.context.posts.follower.start();
    await until(() => api.context.posts.follower.isAway);
    await api.add(newPost({ id: 'alone' }));
    const answers = await Promise.all(
      ['/amber/archives', '/amber/archives/alone', '/ready'].map(async (path) => {
        const answer = await fetch(api.url + path);
        return [answer.status, (await answer.json()) as { search?: string; code?: string }] as const;
      }),
    );
    expect(answers.map(([status]) => status)).toEqual([503, 200, 200]);
    expect(answers[0]?.[1].code).toBe('search_unavailable');
    expect(answers[2]?.[1].search).toMatch('the search cluster cannot be reached');
  } finally {
    await api.close();
  }
});

function openIndex(named: string, onRefused: (id: string) => void = () => {}) {
  return new ClusterIndex<null>({
    nodes: nodes.filter(Boolean).map((url) => new URL(url)),
    account: null,
    ca: null,
    name: named,
    shards: 3,
    replicas: 0,
    epoch: 'epoch',
    turns: inOrder,
    signalOf: () => undefined,
    contentsOf: async () => [],
    ofThreads: async () => [],
    onRefused,
  });
}

test('an index that an older release has built takes no posts of this release', async () => {
  const named = name();
  const older = `${named}-posts-1`;
  await call(`/${older}`, 'PUT', { aliases: { [named]: {} }, mappings: { _meta: { epoch: 'epoch', schema: 1 } } });
  await call(`/${older}/_doc/whole`, 'PUT', { kind: 'whole' });
  await call(`/${older}/_doc/state`, 'PUT', { kind: 'state', position: 1, beat: 1 });
  const index = openIndex(named);
  try {
    await expect(index.apply([aPost({ changed: 1 })], null)).rejects.toMatchObject({ reason: 'building' });
    await call(`/${older}/_refresh`, 'POST');
    expect(await call(`/${older}/_count`)).toMatchObject({ count: 2 });
    expect(await index.summary()).toMatchObject({ position: null });
  } finally {
    await index.close();
    await call(`/${older}`, 'DELETE');
  }
});

test('a build is given what another process changes, and nothing that the current index has', async () => {
  const named = name();
  const [builder, writer] = [openIndex(named), openIndex(named)];
  const [held, added] = [aPost({ changed: 1 }), aPost({ changed: 2 })];
  let isReleased = false;
  const build = (posts: IndexedPost[]) =>
    builder.rebuild({
      count: 1,
      posts: (async function* () {
        await until(() => isReleased);
        yield posts;
      })(),
      catchUp: async () => ({ at: 1, beat: 1 }),
    });
  const nextName = async () =>
    Object.entries((await call(`/${named}-posts-*/_alias`)) as Record<string, { aliases: object }>).find(
      ([, { aliases }]) => !(named in aliases) && Object.keys(aliases).length > 0,
    )?.[0];
  try {
    isReleased = true;
    await build([held]);
    isReleased = false;
    const building = build([held]);
    const next = await until(nextName);
    const count = async () => {
      await call(`/${next}/_refresh`, 'POST');
      return ((await call(`/${next}/_count?q=kind:post`)) as unknown as { count: number }).count;
    };
    expect([await writer.mend([held]), await count()]).toEqual([0, 0]);
    expect([await writer.mend([added]), await count()]).toEqual([1, 1]);
    // A change is given to both: a delayed write of an older state may have reached the next index alone.
    await writer.apply([held], null);
    expect(await count()).toBe(2);
    isReleased = true;
    await building;
    expect((await builder.summary()).posts).toBe(2);
  } finally {
    await builder.close();
    await writer.close();
  }
});

test('an index is built though posts are written before its parts take any', async () => {
  const named = name();
  const [builder, writer] = [openIndex(named), openIndex(named)];
  const [first, written] = [aPost(), aPost({ content: 'parrel' })];
  const build = () =>
    builder.rebuild({
      count: 1,
      posts: (async function* () {
        yield [first];
      })(),
      catchUp: async (take) => {
        await take([written]);
        return { at: 1, beat: 1 };
      },
    });
  const indexes = async () => Object.keys(await call(`/${named}-posts-*`));
  try {
    await build();
    const [held] = await indexes();
    const settings = { 'index.routing.allocation.enable': 'none' };
    await call(`/_index_template/${named}`, 'PUT', { index_patterns: [`${named}-posts-*`], template: { settings } });
    const building = build();
    const next = await until(async () => (await indexes()).find((index) => index !== held));
    // The live index already contains this post.
    expect(await writer.mend([written])).toBe(0);
    await call(`/_index_template/${named}`, 'DELETE');
    await call(`/${next}/_settings`, 'PUT', { 'index.routing.allocation.enable': 'all' });
    await building;
    expect((await builder.summary()).posts).toBe(2);
    expect(Object.keys(await call(`/_alias/${named}`))).toEqual([next]);
    // Merges are put off during the build alone.
    expect(JSON.stringify(await call(`/${next}/_settings`))).not.toContain('segments_per_tier');
  } finally {
    await builder.close();
    await writer.close();
  }
});

describe('an index of many posts', () => {
  const MANY = 12_000;
  const refused: string[] = [];
  const index = openIndex(name(), (id) => refused.push(id));
  const posts = Array.from({ length: MANY }, (_, at) =>
    aPost({
      // A few are far from the others: an export by time looks for the next posts nearby first.
      at: at % 4_000 === 9 ? Date.UTC(2001, 0, at) : Date.UTC(2026, 0, 1) + (at % 4_001) * 7_000,
      // Most have one author, and most contents begin alike: a far page among them is reached in steps.
      author: at % 20 ? 'One' : `Author ${at % 97}`,
      content: at % 20 > 1 ? `${'the same '.repeat(at % 5 ? 1 : 120)}${at % 700}` : at % 2 ? 'alike' : '',
      category: ['tech', 'news', null][at % 3] as string,
      reactions: at % 11 === 0 ? at % 5 : 0,
      savedAt: Date.UTC(2026, 0, 2) + (at % 10),
      changed: 1,
    }),
  );

  beforeAll(async () => {
    await index.rebuild({
      count: MANY,
      posts: (async function* () {
        for (let from = 0; from < MANY; from += 500) yield posts.slice(from, from + 500);
      })(),
      catchUp: async () => ({ at: 1, beat: 1 }),
    });
  });

  afterAll(() => index.close());

  const listOf = (search: string) =>
    index.ask('list', { filter: { search }, sort: NEWEST_FIRST, offset: 0, limit: 2, split: false, now: 0 }, null);

  const keys: Record<SortField, (post: IndexedPost) => string | number> = {
    timestamp: ({ at }) => at,
    author: ({ author }) => author.toLowerCase(),
    content: ({ content }) => content.toLowerCase().slice(0, 1_000),
    category: ({ category }) => (category === null ? 99 : ['politics', 'tech', 'news'].indexOf(category)),
    saved: ({ savedAt }) => savedAt,
    reactions: ({ reactions }) => reactions,
  };

  it.each(SORT_FIELDS.flatMap((sortBy) => SORT_ORDERS.map((sortOrder) => ({ sortBy, sortOrder }))))(
    'is read at any depth by $sortBy $sortOrder',
    async ({ sortBy, sortOrder }) => {
      const direction = sortOrder === 'asc' ? 1 : -1;
      const inTurn = posts.toSorted((a, b) => {
        const [one, other] = [keys[sortBy](a), keys[sortBy](b)];
        return one === other ? Buffer.compare(a.oid, b.oid) : (one < other ? -1 : 1) * direction;
      });
      for (const offset of [0, 9_995, 10_000, 11_123, MANY - 7, MANY]) {
        const { oids, total } = await index.ask(
          'list',
          { filter: {}, sort: { sortBy, sortOrder }, offset, limit: 12, split: false, now: Date.UTC(2026, 1, 1) },
          null,
        );
        expect(total).toBe(MANY);
        const wanted = inTurn.slice(offset, offset + 12);
        if (sortBy !== 'category') expect(oids.map(hex)).toEqual(wanted.map(({ oid }) => hex(oid)));
        else expect(oids).toHaveLength(wanted.length);
      }
      const exported: string[] = [];
      const chunks = index.export({}, { sortBy, sortOrder }, Date.UTC(2026, 1, 1));
      for await (const chunk of chunks) exported.push(...chunk.map(hex));
      if (sortBy !== 'category') expect(exported).toEqual(inTurn.map(({ oid }) => hex(oid)));
      else expect(new Set(exported).size).toBe(MANY);
    },
  );

  it('notes no removal of a post that it does not hold, such as the comparison finds after each build', async () => {
    expect(await index.mend([toRemoval(aPost({}).oid, 3)])).toBe(1);
    expect((await index.summary()).goneSince).toBeNull();
  });

  it('finds a text of any length, not with another letter, and none across name and handle', async () => {
    await index.mend([
      aPost({ author: 'Xebec', handle: 'ectopmast', content: 'forecastle', changed: 2 }),
      aPost({ author: 'Xebec', handle: 'ctopmast', changed: 2 }),
    ]);
    const totals = async (texts: string[]) => (await Promise.all(texts.map(listOf))).map(({ total }) => total);
    for (let length = 3; length <= 10; length++) {
      const text = 'forecastle'.slice(-length);
      const others = Array.from(text, (_, at) => `${text.slice(0, at)}z${text.slice(at + 1)}`);
      expect(await totals([text, ...others])).toEqual([1, ...others.map(() => 0)]);
    }
    expect(await totals(['xebec', 'topmast', 'bect', 'becto', 'bectop', 'bec ctop'])).toEqual([2, 2, 0, 0, 0, 0]);
  });

  it('finds one and two characters at the end of each text, in texts no longer, and none across name and handle', async () => {
    await index.mend([
      aPost({ content: 'ends \u16a0', author: 'Ann\u16a1', handle: '\u16a2b\u16a3', changed: 2 }),
      aPost({ content: '\u16a4', author: '\u16a5\u16a6', handle: 'plain', changed: 2 }),
      aPost({ content: 'tail \u{1fae8}', author: 'mark a\u0323', handle: 'plain', changed: 2 }),
      aPost({ content: '', author: '\u16a7', handle: 'plain', changed: 2 }),
    ]);
    const found = ['\u16a0', ' \u16a0', '\u16a1', 'n\u16a1', '\u16a2', 'b\u16a3', '\u16a4', '\u16a5', '\u16a5\u16a6'];
    const alsoFound = ['\u16a6', '\u16a7', '\u{1fae8}', ' \u{1fae8}'];
    const absent = ['\u16a1\u16a2', '\u16a3\u16a4', '\u16a6p', '\u0003', '\u16a4\u0003', '\ud83e', 'l\u{1fae9}'];
    const totals = async (texts: string[]) => (await Promise.all(texts.map(listOf))).map(({ total }) => total);
    expect(await totals([...found, ...alsoFound])).toEqual([...found, ...alsoFound].map(() => 1));
    expect(await totals(absent)).toEqual(absent.map(() => 0));
  });

  it('counts the posts of an author right where many are written and removed at once', async () => {
    const some = Array.from({ length: 20 }, () => aPost({ handle: 'capstan', changed: 2 }));
    await Promise.all(some.map((post) => index.mend([post])));
    const counted = async () =>
      (await index.ask('suggest', { from: 'capstan' }, null)).authors.map(({ posts }) => posts);
    expect(await counted()).toEqual([20]);
    await Promise.all(some.slice(5).map(({ oid }) => index.mend([toRemoval(oid, 3)])));
    expect(await counted()).toEqual([5]);
  });

  it('keeps no other post away where the cluster refuses one', async () => {
    const [bad, good] = [aPost({ thread: 'x'.repeat(40_000), changed: 2 }), aPost({ content: 'mizzen', changed: 2 })];
    expect(await index.mend([bad, good])).toBe(1);
    expect(refused).toEqual([hex(bad.oid)]);
    const { oids } = await listOf('mizzen');
    expect(oids.map(hex)).toEqual([hex(good.oid)]);
  });
});

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}
