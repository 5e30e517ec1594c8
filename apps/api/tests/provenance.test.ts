import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Post } from '@archive/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import request from 'supertest';
import { importFile } from '../src/ingest/import-file.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const KEY = '3l6oveex3ii2l';
const BLUESKY = {
  id: `bsky-${DID.slice(8)}-${KEY}`,
  url: `https://bsky.app/profile/${DID}/post/${KEY}`,
  authorUsername: 'ada.example.com',
};
const X_REFERENCE = { platform: 'x', id: '77', url: 'https://x.com/ben/status/77' };

describe('where a post comes from', () => {
  let api: TestApi;
  let other: TestApi;
  let folder: string;
  let key: string;

  beforeAll(async () => {
    api = await startTestApi();
    other = await startTestApi();
    folder = mkdtempSync(join(tmpdir(), 'provenance-'));
    key = (await api.context.accounts.agentKeys.create('agent')).key;
  });

  afterAll(async () => {
    await other.close();
    await api.close();
    rmSync(folder, { recursive: true });
  });

  const send = (...posts: unknown[]) =>
    request(api.app).post('/amber/archives').set('Authorization', `Bearer ${key}`).send({ posts });
  const find = async (id: string, from = api) =>
    (await request(from.app).get(`/amber/archives/${encodeURIComponent(id)}`)).body as Post;
  const statuses = async (...posts: unknown[]) =>
    (await send(...posts)).body.results.map(({ status }: { status: string }) => status);
  const importText = (name: string, text: string, into = api) => {
    writeFileSync(join(folder, name), text);
    return importFile(into.context, join(folder, name));
  };

  it('keeps what an agent tells of it, and says that an agent told it', async () => {
    const told = {
      authorId: DID,
      language: 'pt-BR',
      links: [{ start: 5, end: 9, url: 'https://example.com/', title: 'A page' }],
      sensitive: true,
      replyTo: { ...X_REFERENCE, state: 'deleted' },
    };
    await send(newPost({ ...BLUESKY, content: '👋 at here.example', ...told, savedAt: '2020-01-01T00:00:00Z' }));
    const { savedAt, ...post } = await find(BLUESKY.id);
    expect(post).toMatchObject({
      ...told,
      platform: 'bluesky',
      replyTo: { ...told.replyTo, archiveId: null, post: null },
      quoted: null,
      savedBy: { via: 'ingest' },
      capture: { method: 'ingest', complete: true, signed: false },
    });
    // The server sets the time of the save.
    expect(Date.parse(savedAt)).toBeGreaterThan(Date.now() - 600_000);
  });

  it.each([
    ['content', { content: '' }],
    ['authorId', { authorId: 'no id' }],
    ['authorId', { authorId: '$where' }],
    ['language', { language: 'English, mostly' }],
    ['sensitive', { sensitive: 'yes' }],
    ['links', { links: [{ start: 0, end: 99, url: 'https://example.com/', title: null }] }],
    ['links.0', { links: [{ start: 3, end: 3, url: 'https://example.com/' }] }],
    ['links.0.url', { links: [{ start: 0, end: 2, url: 'javascript:alert(1)' }] }],
    [
      'links',
      {
        links: [
          { start: 0, end: 3, url: 'https://example.com/' },
          { start: 2, end: 4, url: 'https://example.com/' },
        ],
      },
    ],
    ['quoted.id', { quoted: { ...X_REFERENCE, id: '$ne' } }],
    ['quoted.platform', { quoted: { ...X_REFERENCE, platform: 'elsewhere' } }],
    ['replyTo.url', { replyTo: { ...X_REFERENCE, url: 'data:text/html,x' } }],
    ['replyTo', { replyTo: { ...X_REFERENCE, id: '78' } }],
    ['quoted', { quoted: { ...X_REFERENCE, url: 'https://example.com/77' } }],
  ])('refuses a wrong %s by name', async (path, over) => {
    const { body } = await send(newPost(over));
    expect(body.results[0]).toMatchObject({ status: 'invalid', message: expect.stringMatching(`^${path} `) });
  });

  it('shows of what moves its poster, of a GIF that is a picture the picture, and of a video without one nothing', async () => {
    await api.add(newPost({ id: '4711', content: 'what moves' }));
    const [file, poster] = ['a'.repeat(64), 'b'.repeat(64)] as const;
    const media = [
      { type: 'gif', key: '1', sha256: file, posterSha256: poster },
      { type: 'gif', key: '2', sha256: file },
      { type: 'video', key: '3', sha256: file, posterSha256: poster },
      { type: 'video', key: '4', sha256: file },
    ];
    await api.context.database.db.collection('posts').updateOne({ ids: '4711' }, { $set: { media } });
    const { body } = await request(api.app).get('/amber/archives/4711');
    // The files do not exist, so an export must not contain these media.
    await api.context.database.db.collection('posts').updateOne({ ids: '4711' }, { $unset: { media: '' } });
    const previews = (body as Post).media.map(({ preview }) => preview);
    expect(previews).toEqual([`/media/${poster}/preview`, `/media/${file}/preview`, `/media/${poster}/preview`, null]);
  });

  it('finds a post by its links', async () => {
    await api.add(newPost({ id: '1234567890123456789', content: 'linked' }));
    for (const [link, id] of [
      ['https://twitter.com/whoever/status/1234567890123456789?s=20', '1234567890123456789'],
      [`at://${DID}/app.bsky.feed.post/${KEY}`, BLUESKY.id],
      [BLUESKY.url, BLUESKY.id],
    ] as const) {
      expect([link, (await find(link)).id]).toEqual([link, id]);
    }
    expect((await request(api.app).get(`/amber/archives/${encodeURIComponent('https://x.com/ada')}`)).status).toBe(404);
  });

  it('shows of a quoted post what is kept of it, as long as it is kept', async () => {
    const reference = { platform: 'x', id: '1900', url: 'https://x.com/cay/status/1900' };
    const quoting = newPost({ content: '', quoted: reference });
    expect(await statuses(quoting)).toEqual(['created']);
    expect((await find(quoting['id'] as string)).quoted).toMatchObject({
      state: 'unknown',
      archiveId: null,
      post: null,
    });
    // It has the id, but its own address belongs to another post.
    await send(newPost({ id: '1900', content: 'not those words', url: 'https://example.com/1900' }));
    expect((await find(quoting['id'] as string)).quoted).toMatchObject({ archiveId: null, post: null });
    await api.context.posts.store.remove(new ObjectId((await find('1900'))._id), { isRefused: false });
    await send(
      newPost({
        id: '1900',
        content: `the words themselves${'.'.repeat(1_000)}`,
        url: 'https://x.com/cay/status/1900',
      }),
    );
    const kept = await find('1900');
    const page = async () => {
      const { body } = await request(api.app).get('/amber/archives?limit=100');
      return body.data.find(({ id }: Post) => id === quoting['id']).quoted;
    };
    for (const quoted of [(await find(quoting['id'] as string)).quoted, await page()]) {
      expect(quoted).toMatchObject({ state: 'kept', archiveId: kept._id });
      expect(quoted?.post?.content).toMatch(/^the words themselves\.{280}$/);
    }
    await api.context.posts.store.remove(new ObjectId(kept._id));
    for (const quoted of [(await find(quoting['id'] as string)).quoted, await page()]) {
      expect(quoted).toEqual({ ...reference, state: 'unknown', archiveId: null, post: null });
    }
    const lines = (await request(api.app).get('/amber/archives/export?format=ndjson')).text;
    expect(lines).not.toContain('the words themselves');
  });

  it('tells posts of the same words apart by what they quote, and a removed one refuses either form', async () => {
    const gm = newPost({ content: 'gm' });
    const referenceTo = (id: string) => ({ platform: 'x', id, url: `https://x.com/ben/status/${id}` });
    const quoting = (id: string) => newPost({ content: 'gm', quoted: referenceTo(id) });
    expect(await statuses(gm, quoting('1'), quoting('2'), quoting('2'))).toEqual([
      'created',
      'created',
      'created',
      'duplicate',
    ]);
    const words = newPost({ content: 'taken back' });
    await send(words);
    await api.context.posts.store.remove(new ObjectId((await find(words['id'] as string))._id));
    const again = newPost({ content: 'taken back', quoted: referenceTo('3') });
    expect((await send(again)).body.results[0]).toMatchObject({ status: 'invalid', message: 'removed' });
  });

  it('tells of a post of an earlier version what its address and its metadata tell', async () => {
    await api.add(newPost({ id: 'of-old', metadata: { language: 'de' } }));
    const posts = api.context.database.db.collection('posts');
    const added = {
      authorId: '',
      language: '',
      links: '',
      sensitive: '',
      replyTo: '',
      quoted: '',
      savedAt: '',
      origin: '',
    };
    await posts.updateOne({ id: 'of-old' }, { $unset: added });
    expect(await find('of-old')).toMatchObject({
      platform: 'x',
      language: 'de',
      links: [],
      sensitive: false,
      savedBy: { via: 'import' },
      capture: { method: 'import', complete: true, signed: false },
    });
  });

  it('goes out and comes in again without loss', async () => {
    const exported = async (from: TestApi) => {
      const { text } = await request(from.app).get('/amber/archives/export?format=ndjson&sortBy=content&sortOrder=asc');
      return text.split('\n').filter(Boolean);
    };
    const lines = await exported(api);
    const report = await importText('all.ndjson', lines.join('\n'), other);
    expect(report).toMatchObject({ created: lines.length, refused: 0 });
    const carried = (line: string) => {
      const { _id, replyTo, quoted, ...post } = JSON.parse(line) as Post;
      const refer = (to: Post['quoted']) => to && { platform: to.platform, id: to.id, url: to.url };
      return { ...post, replyTo: refer(replyTo), quoted: refer(quoted) };
    };
    const byId = (one: { id: string }, two: { id: string }) => (one.id < two.id ? -1 : 1);
    expect((await exported(other)).map(carried).sort(byId)).toEqual(lines.map(carried).sort(byId));
  });

  it("takes with a post of X's archive what it answers and where its links lead", async () => {
    writeFileSync(
      join(folder, 'account.js'),
      'window.YTD.account.part0 = [{"account":{"username":"ada","accountDisplayName":"Ada","accountId":"42"}}]',
    );
    const tweet = {
      id_str: '3001',
      full_text: '👋 \u0001&lt;see&gt; https://t.co/abc',
      created_at: 'Wed Oct 10 20:19:24 +0000 2018',
      lang: 'und',
      possibly_sensitive: true,
      in_reply_to_status_id_str: '3000',
      in_reply_to_screen_name: 'ben',
      entities: {
        urls: [
          { url: 'https://t.co/abc', expanded_url: 'https://example.com/page', indices: ['0', '1'] },
          { url: 'https://t.co/gone', expanded_url: 'https://example.com/other' },
          { url: 'https://t.co/abc', expanded_url: 'javascript:alert(1)' },
          { url: 'https://t.co/abc', expanded_url: 'https://example.com/\u0001' },
        ],
      },
    };
    expect(
      await importText('tweets.js', `window.YTD.tweets.part0 = [{"tweet":${JSON.stringify(tweet)}}]`),
    ).toMatchObject({
      created: 1,
    });
    expect(await find('3001')).toMatchObject({
      content: '👋 <see> https://t.co/abc',
      authorId: '42',
      language: null,
      sensitive: true,
      links: [{ start: 8, end: 24, url: 'https://example.com/page', title: null }],
      replyTo: { platform: 'x', id: '3000', url: 'https://x.com/ben/status/3000', state: 'unknown' },
    });
  });
});
