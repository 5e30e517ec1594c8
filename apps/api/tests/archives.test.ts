import type { ArchivePage, Post, Problem } from '@archive/contracts';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ObjectId } from 'mongodb';
import request from 'supertest';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('the archive over HTTP', () => {
  let api: TestApi;
  const now = Date.UTC(2026, 5, 15, 12);
  const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();

  beforeAll(async () => {
    api = await startTestApi({
      env: { LAUNCH_INFO_ID: 'shown-one', LAUNCH_PLATFORM_NAME: 'pump.fun', LAUNCH_CONTRACT_ADDRESS: 'Contract111' },
      overrides: { now: () => now },
    });
    await api.add(
      newPost({
        id: 'a1',
        content: 'first words',
        author: 'Ada',
        authorUsername: 'Ada',
        category: 'tech',
        timestamp: daysAgo(1),
      }),
      newPost({
        id: 'a2',
        content: 'second words',
        author: 'Ada L.',
        authorUsername: 'ADA',
        category: 'news',
        timestamp: daysAgo(2),
      }),
      newPost({
        id: 'b1',
        content: 'third',
        author: 'Bob',
        authorUsername: 'bob',
        category: null,
        timestamp: daysAgo(40),
      }),
      newPost({
        id: 'shown-one',
        content: 'launched here',
        author: 'Cy',
        authorUsername: 'cy',
        category: 'crypto',
        timestamp: daysAgo(8),
      }),
      newPost({ id: 'gone', content: 'to be removed', author: 'Del', authorUsername: 'del', timestamp: daysAgo(3) }),
    );
    const gone = await api.context.posts.store.find('gone');
    await api.context.posts.store.remove(gone?._id as ObjectId);
  });

  afterAll(() => api.close());

  const get = (path: string) => request(api.app).get(path);
  const ids = (body: ArchivePage) => body.data.map((post) => post.id);

  it('lists the newest posts first with every documented field', async () => {
    const { body, status } = await get('/amber/archives');
    expect(status).toBe(200);
    expect(ids(body)).toEqual(['a1', 'a2', 'shown-one', 'b1']);
    expect(body).toEqual({
      data: expect.any(Array),
      stats: { total: 4, authors: 3, recent: 2 },
      pagination: { page: 1, limit: 12, total: 4, pages: 1, next: null },
      featured: null,
      match: 'exact',
      lastLaunch: null,
    });
    expect(body.data[3]).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      id: 'b1',
      content: 'third',
      author: 'Bob',
      authorUsername: 'bob',
      authorAvatar: null,
      category: null,
      timestamp: daysAgo(40),
      url: 'https://x.com/adabyron/status/1',
      featured: false,
      featuredAt: null,
      featuredBy: null,
      payee: null,
      launched: false,
      reactions: { heart: 0, thumbsUp: 0, thumbsDown: 0 },
      metadata: {},
      platform: 'x',
      authorId: null,
      language: null,
      links: [],
      sensitive: false,
      replyTo: null,
      quoted: null,
      media: [],
      thread: null,
      source: { state: 'unknown', checkedAt: null },
      versions: [],
      savedAt: expect.any(String),
      savedBy: { via: 'import' },
      capture: { method: 'import', complete: true, signed: false },
    });
  });

  it('answers the legacy paths with the same handlers', async () => {
    for (const [legacy, current] of [
      ['/launches/amber?limit=2', '/amber/archives?limit=2'],
      ['/launches/amber/analytics', '/amber/analytics'],
      ['/archives/reactions/a1', '/amber/reactions/a1'],
    ] as const) {
      const [old, today] = [await get(legacy), await get(current)];
      expect([old.status, old.body]).toEqual([200, today.body]);
    }
  });

  it('finds one post by _id and by platform id', async () => {
    const byPlatform = await get('/amber/archives/a1');
    const byId = await get(`/amber/archives/${(byPlatform.body as Post)._id.toUpperCase()}`);
    expect(byPlatform.body.content).toBe('first words');
    expect(byId.body).toEqual(byPlatform.body);
  });

  it('tells unknown from removed', async () => {
    for (const id of [
      'nobody',
      '0123456789abcdef01234567',
      '0123456789abcdef012345678',
      '%00',
      '%F0%9F%98%82',
      '$ne',
    ]) {
      for (const path of ['/amber/archives', '/launches', '/amber/reactions']) {
        expect([`${path}/${id}`, (await get(`${path}/${id}`)).status]).toEqual([`${path}/${id}`, 404]);
      }
    }
    const removed = await get('/amber/archives/gone');
    expect(removed.status).toBe(410);
    expect(removed.body.code).toBe('post_removed');
  });

  it('shows where the launch info post was launched, and nowhere for others', async () => {
    const { body } = await get('/launches/shown-one');
    expect(body).toMatchObject({ id: 'shown-one', launch_platform: 'pump.fun', contract_address: 'Contract111' });
    expect((await get('/launches/a1')).body).toMatchObject({ launch_platform: null, contract_address: null });
  });

  it('counts authors by handle in any case, categories and days', async () => {
    const { body } = await get('/amber/analytics');
    expect(body.topAuthors[0]).toEqual({ author: 'Ada', username: 'Ada', avatar: null, count: 2 });
    expect(body.topAuthors.map((author: { count: number }) => author.count)).toEqual([2, 1, 1]);
    expect(body.contentTrends).toContainEqual({ category: null, count: 1 });
    expect(body.timeTrends).toHaveLength(30);
    expect(body.timeTrends[29]).toEqual({ date: '2026-06-15', count: 0 });
    expect(body.timeTrends[28]).toEqual({ date: '2026-06-14', count: 1 });
  });

  it('names the wrong parameter in a problem document', async () => {
    const wrong: [string, string][] = [
      ['page=0', 'page'],
      ['page=1.5', 'page'],
      ['page=NaN', 'page'],
      ['page=-1', 'page'],
      ['page=1e3', 'page'],
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['limit=99999999999999999999', 'limit'],
      ['category=Tech', 'category'],
      ['category=constructor', 'category'],
      ['media=gif', 'media'],
      ['platform=X', 'platform'],
      ['language=english', 'language'],
      ['startDate=2026-02-30', 'startDate'],
      ['startDate=yesterday', 'startDate'],
      ['endDate=2026-1-1', 'endDate'],
      ['startDate=2026-03-02&endDate=2026-03-01', 'startDate'],
      ['sortBy=likes', 'sortBy'],
      ['sortOrder=up', 'sortOrder'],
      ['split=all', 'split'],
      ['search=a&search=b', 'search'],
      ['page=1&page=2', 'page'],
      ['search[$ne]=x', 'search[$ne]'],
      ['author[]=x', 'author[]'],
    ];
    for (const [query, path] of wrong) {
      const { status, body, headers } = await get(`/amber/archives?${query}`);
      const problem = body as Problem;
      expect([query, status, problem.errors?.[0]?.path]).toEqual([query, 400, path]);
      expect(problem.message).toBe(problem.detail);
      expect(problem).toMatchObject({ type: 'about:blank', status: 400, code: 'invalid_request' });
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(problem.requestId).toBe(headers['x-request-id']);
    }
  });

  it('takes an empty parameter for an absent one and ignores names it does not know', async () => {
    const all = await get('/amber/archives');
    const { status, body } = await get('/amber/archives?search=&category=&page=&startDate=&utm_source=x');
    expect([status, body]).toEqual([200, all.body]);
  });

  it('answers a page past the end with nothing', async () => {
    const { body } = await get('/amber/archives?page=100000000');
    expect([body.data, body.pagination.total]).toEqual([[], 4]);
  });

  it('searches for text as it stands, never as a pattern', async () => {
    for (const text of ['.*', '%', '_', '^', '(', 'f.rst', '\\', '"', '*']) {
      expect(ids((await get(`/amber/archives?search=${encodeURIComponent(text)}`)).body)).toEqual([]);
    }
    expect(ids((await get('/amber/archives?search=WORDS')).body)).toEqual(['a1', 'a2']);
    expect(ids((await get('/amber/archives?search=%00')).body)).toEqual([]);
  });

  it('splits the featured post off and counts it all the same', async () => {
    const post = await api.context.posts.store.find('b1');
    await api.context.posts.store.setFeatured(post?._id as ObjectId, true);
    const split = await get('/amber/archives?split=featured&limit=1');
    expect(split.body.featured.id).toBe('b1');
    expect(split.body.featured).toMatchObject({ featured: true, featuredBy: 'team', featuredAt: expect.any(String) });
    expect(split.body.pagination).toMatchObject({ page: 1, limit: 1, total: 4, pages: 3 });
    const second = await get('/amber/archives?split=featured&limit=2&page=2');
    expect([ids(second.body), second.body.featured]).toEqual([['shown-one'], null]);
    const whole = await get('/amber/archives');
    expect([ids(whole.body).length, whole.body.featured.id]).toEqual([4, 'b1']);
    // The featured post is chosen among the matches, in any order.
    expect((await get('/amber/archives?search=words')).body.featured).toBeNull();
    expect((await get('/amber/archives?sortBy=author&sortOrder=asc')).body.featured.id).toBe('b1');
  });

  it('answers 304 to who has the bytes, and compresses for who can', async () => {
    const first = await get('/amber/archives');
    const again = await get('/amber/archives').set('If-None-Match', first.headers['etag'] as string);
    expect([again.status, again.text]).toEqual([304, '']);
    await api.add(newPost({ id: 'new-one', timestamp: daysAgo(60) }));
    const changed = await get('/amber/archives').set('If-None-Match', first.headers['etag'] as string);
    expect([changed.status, changed.body.stats.total]).toEqual([200, 5]);
    expect((await get('/amber/archives').set('Accept-Encoding', 'br')).headers['content-encoding']).toBe('br');
    expect(
      (await get('/amber/archives').set('Accept-Encoding', 'identity')).headers['content-encoding'],
    ).toBeUndefined();
  });

  it('sends a strict policy and no credentials to strangers', async () => {
    const { headers } = await get('/amber/archives').set('Origin', 'https://evil.example');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('answers unknown paths and methods with a problem', async () => {
    for (const path of ['/nothing', '/amber', '/amber/archives/a/b', '/AMBER/archives']) {
      const { status, body } = await get(path);
      expect([path, status, body.code]).toEqual([path, 404, 'not_found']);
    }
    expect((await request(api.app).delete('/amber/archives')).status).toBe(404);
  });

  it('answers each search by its own words, whatever was asked before it', async () => {
    const found = async (match: string, search: string) => {
      const { body } = await get(`/amber/archives?match=${match}&search=${search}`);
      return (body as ArchivePage).data.map(({ id }) => id);
    };
    // Repeated more often than there are reader threads, each of which caches its last answers.
    for (let time = 0; time < 4; time++) {
      for (const match of ['words', 'most', 'any']) {
        expect(await found(match, 'words+first')).toContain('a1');
        expect(await found(match, 'third+third')).toEqual(['b1']);
        expect(await found('words', 'words+second')).toEqual(['a2']);
      }
    }
  });

  it('says that it lives and that it can serve', async () => {
    expect((await get('/health')).body).toEqual({ status: 'ok' });
    await until(async () => (await get('/ready')).body.status === 'ready');
  });

  it('asks the database once for all who ask meanwhile whether it can serve, and says at once that it stops', async () => {
    const { background, database } = api.context;
    const command = jest.spyOn(database.db, 'command');
    const told = await Promise.all(Array.from({ length: 50 }, () => get('/ready')));
    // The API answers 503 if the database does not respond within a second.
    expect(told.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(command.mock.calls.filter(([asked]) => 'ping' in (asked as object)).length).toBeLessThan(10);
    background.isEnding = true;
    const { status, body } = await get('/ready');
    background.isEnding = false;
    command.mockRestore();
    expect([status, body.status]).toEqual([503, 'stopping']);
  });

  it('tells the browser what it may know', async () => {
    expect((await get('/amber/config')).body).toEqual({
      name: 'Amber',
      network: 'localnet',
      rpcUrl: null,
      agentHandle: 'amberkeeps',
      agents: [],
      readable: ['bluesky'],
      tokenTicker: 'AMBER',
      launchInfoId: 'shown-one',
      launchPlatform: null,
      avatarHosts: ['pbs.twimg.com', 'abs.twimg.com'],
      pushKey: null,
      domain: 'localhost:4000',
    });
  });
});
