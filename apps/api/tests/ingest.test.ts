import type { IngestReport, Post } from '@archive/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

describe('saving posts with an agent key', () => {
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    api = await startTestApi();
    key = (await api.context.accounts.agentKeys.create('test agent')).key;
  });

  afterAll(() => api.close());

  const send = (body: unknown, auth = `Bearer ${key}`) =>
    request(api.app)
      .post('/amber/archives')
      .set('Authorization', auth)
      .send(body as object);
  const find = async (id: string) => (await request(api.app).get(`/amber/archives/${id}`)).body as Post;
  const total = async () => (await request(api.app).get('/amber/archives')).body.stats.total as number;

  it('saves one post and shows it at once', async () => {
    const post = newPost({ content: 'kept <as> it & was', metadata: { quotedBy: '@x', nested: { deep: [1, 2] } } });
    const { status, body } = await send(post);
    expect([status, body]).toEqual([
      201,
      { created: 1, duplicates: 0, invalid: 0, results: [{ index: 0, id: post['id'], status: 'created' }] },
    ]);
    const { body: page } = await request(api.app).get('/amber/archives?search=kept%20%3Cas%3E');
    expect(page.data[0]).toMatchObject({ content: 'kept <as> it & was', metadata: post['metadata'] });
  });

  it('changes nothing when the same is sent again', async () => {
    const post = newPost();
    await send(post);
    const before = await total();
    const { status, body } = await send({ posts: [post, post] });
    expect([status, body.created, body.duplicates]).toEqual([200, 0, 2]);
    expect(await total()).toBe(before);
  });

  it('keeps one of two posts with the same words by the same hand, and finds it by either id', async () => {
    const post = newPost({ content: 'said twice' });
    const again = { ...post, id: 'another-id', url: 'https://x.com/again' };
    const { body } = await send({ posts: [post, again] });
    expect(body.results.map((result: { status: string }) => result.status)).toEqual(['created', 'duplicate']);
    expect(await find('another-id')).toEqual(await find(post['id'] as string));
    const stored = await api.context.database.db.collection('posts').findOne({ ids: 'another-id' });
    expect(stored?.['aliases']).toEqual([
      { id: 'another-id', url: 'https://x.com/again', at: expect.any(Date), savedBy: expect.any(String) },
    ]);
    // An id that belongs to an archived post cannot become another post.
    expect((await send(newPost({ id: 'another-id', content: 'something else' }))).body.duplicates).toBe(1);
  });

  it('remembers the latest hundred other ids', async () => {
    const post = newPost({ content: 'said often' });
    const others = Array.from({ length: 120 }, (_, index) => ({ ...post, id: `often-${index}` }));
    const { body } = await send({ posts: [post, ...others] });
    expect([body.created, body.duplicates]).toEqual([1, 120]);
    const stored = await api.context.database.db.collection('posts').findOne({ id: post['id'] });
    expect(stored?.['aliases']).toHaveLength(100);
    expect(stored?.['ids']).toHaveLength(101);
    expect((await find('often-119')).id).toBe(post['id']);
  });

  it('takes the good posts of a batch and says what is wrong with the others', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ id: 12345 }, 'id'],
      [{ id: '0123456789abcdef01234567' }, 'id'],
      [{ id: 'a b' }, 'id'],
      [{ id: 'x'.repeat(65) }, 'id'],
      [{ id: 'export' }, 'id'],
      [{ content: '' }, 'content'],
      [{ content: '\u0000\u0007' }, 'content'],
      [{ content: 'x'.repeat(25_001) }, 'content'],
      [{ content: '\ud800' }, 'content'],
      [{ content: { $ne: null } }, 'content'],
      [{ author: 'x'.repeat(201) }, 'author'],
      [{ authorUsername: '' }, 'authorUsername'],
      [{ authorUsername: 'x'.repeat(254) }, 'authorUsername'],
      [{ category: 'gossip' }, 'category'],
      [{ timestamp: '2026-02-30T00:00:00Z' }, 'timestamp'],
      [{ timestamp: '2026-02-03' }, 'timestamp'],
      [{ timestamp: '2026-02-03T00:00:00' }, 'timestamp'],
      [{ timestamp: 1_700_000_000_000 }, 'timestamp'],
      [{ url: 'javascript:alert(1)' }, 'url'],
      [{ url: 'data:text/html,x' }, 'url'],
      [{ url: ' https://x.com' }, 'url'],
      [{ authorAvatar: 'javascript:alert(1)' }, 'authorAvatar'],
      [{ metadata: [] }, 'metadata'],
      [{ metadata: { $where: '1' } }, 'metadata'],
      [{ metadata: { list: [{ $where: '1' }] } }, 'metadata'],
      [{ metadata: { list: [[{ 'a.b': '1' }]] } }, 'metadata'],
      [{ metadata: JSON.parse('{"list":[1,{"__proto__":{"x":1}}]}') }, 'metadata'],
      [{ metadata: { 'a.b': 1 } }, 'metadata'],
      [{ metadata: { text: 'x'.repeat(17_000) } }, 'metadata'],
      [{ metadata: JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`) }, 'metadata'],
      [{ metadata: JSON.parse('{"__proto__":{"x":1}}') }, 'metadata'],
    ];
    const good = newPost();
    const { status, body } = await send({
      posts: [...wrong.map(([fields]) => newPost(fields)), good, 'text', null, 5],
    });
    const report = body as IngestReport;
    expect([status, report.created, report.invalid]).toEqual([201, 1, wrong.length + 3]);
    for (const [index, [fields, path]] of wrong.entries()) {
      expect([fields, report.results[index]?.status, report.results[index]?.message?.split(' ')[0]]).toEqual([
        fields,
        'invalid',
        path,
      ]);
    }
    expect(await find(good['id'] as string)).toMatchObject({ content: good['content'] });
  });

  it('refuses metadata of any depth without falling over', async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const text = JSON.stringify(newPost({ metadata: 'DEEP' })).replace('"DEEP"', deep);
    const { status, body } = await request(api.app)
      .post('/amber/archives')
      .set('Authorization', `Bearer ${key}`)
      .set('Content-Type', 'application/json')
      .send(text);
    expect([status, body.invalid, body.results[0].message]).toEqual([200, 1, 'metadata must be at most 8 levels deep']);
  });

  it('strips control characters but keeps line breaks and tabs', async () => {
    await send(newPost({ id: 'controls', content: 'a\u0000b\u0007\tc\r\nd\u0085\u009fe', author: 'N\u0001ame' }));
    expect(await find('controls')).toMatchObject({ content: 'ab\tc\r\nde', author: 'Name' });
  });

  it('takes the handle where the name is empty', async () => {
    await send(newPost({ id: 'nameless', author: '', authorUsername: 'quiet' }));
    expect((await find('nameless')).author).toBe('quiet');
  });

  it('refuses a removed post by its id and by its words', async () => {
    const post = newPost({ content: 'please forget this' });
    await send(post);
    const stored = await api.context.posts.store.find(post['id'] as string);
    if (stored) {
      await api.context.posts.store.remove(stored._id);
    }
    const { status, body } = await send({
      posts: [post, { ...post, id: 'forget-2' }, newPost({ id: post['id'], content: 'new words' })],
    });
    expect(status).toBe(200);
    expect(body.results.map((result: { message: string }) => result.message)).toEqual([
      'removed',
      'removed',
      'removed',
    ]);
    const kept = await api.context.database.db.collection('posts').findOne({ ids: post['id'] });
    expect(Object.keys(kept ?? {}).sort()).toEqual(['_id', 'changedAt', 'emptied', 'fingerprint', 'ids', 'removedAt']);
    expect((await request(api.app).get('/amber/archives?search=please%20forget')).body.pagination.total).toBe(0);
    expect((await request(api.app).get('/amber/archives/export')).text).not.toContain('please forget');
  });

  it('lets nobody in without a living key', async () => {
    const { id, key: other } = await api.context.accounts.agentKeys.create('short-lived');
    expect((await send(newPost(), `Bearer ${other}`)).status).toBe(201);
    await api.context.accounts.agentKeys.revoke(id);
    for (const auth of [
      `Bearer ${other}`,
      'Bearer x',
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
      `Basic ${key}`,
      '',
      'Bearer [object Object]',
    ]) {
      const { status, headers } = await send(newPost(), auth);
      expect([auth, status, headers['www-authenticate']]).toEqual([auth, 401, 'Bearer']);
    }
    expect(JSON.stringify(await api.context.database.db.collection('agent_keys').find().toArray())).not.toContain(
      key.slice(-32),
    );
  });

  it('refuses bodies that are too large, no JSON, or neither a post nor posts', async () => {
    const answers = await Promise.all([
      send({ posts: [newPost({ content: 'x'.repeat(1_100_000) })] }),
      request(api.app)
        .post('/amber/archives')
        .set('Authorization', `Bearer ${key}`)
        .set('Content-Type', 'application/json')
        .send('{"id":'),
      request(api.app)
        .post('/amber/archives')
        .set('Authorization', `Bearer ${key}`)
        .set('Content-Type', 'text/plain')
        .send('hello'),
      send([newPost()]),
      send({ posts: [] }),
      send({ posts: { length: 1 } }),
      send({ posts: Array.from({ length: 1_001 }, () => 1) }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([413, 400, 415, 400, 400, 400, 400]);
    expect(answers.map((answer) => answer.body.code)).toEqual([
      'payload_too_large',
      'invalid_json',
      'unsupported_media_type',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      'invalid_request',
    ]);
  });

  it('keeps exactly one of a hundred equal posts sent at once', async () => {
    const post = newPost({ content: 'raced' });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => send({ ...post, id: index % 2 ? post['id'] : `raced-${index}` })),
    );
    expect(answers.every((answer) => answer.status === 200 || answer.status === 201)).toBe(true);
    expect(answers.reduce((sum, answer) => sum + answer.body.created, 0)).toBe(1);
    expect((await request(api.app).get('/amber/archives?search=raced&limit=100')).body.pagination.total).toBe(1);
  });
});
