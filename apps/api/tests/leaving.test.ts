import { rmSync } from 'node:fs';
import { type Post, PRODUCT_NAME } from '@archive/contracts';
import { TestWallet } from '@archive/testing';
import { aPicture } from '@archive/testing/media';
import { until } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import sharp from 'sharp';
import request from 'supertest';
import { validateXML } from 'xmllint-wasm';
import { DrawingThread } from '../src/pages/picture/drawing-thread.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';
import { makeWebDir } from './_web-dir.ts';

const ORIGIN = 'https://amber.example';
const webDir = makeWebDir();

interface FeedItem {
  id: string;
  content_text: string;
  date_published: string;
}

/** The text and the elements of a page without scripts. */
function read(html: string): { words: string; head: Record<string, string>; links: Record<string, string>[] } {
  const head: Record<string, string> = {};
  const links: Record<string, string>[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node): string => {
    if ('value' in node) return node.value;
    if ('tagName' in node) {
      const values = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      const name = values['property'] ?? values['name'];
      if (node.tagName === 'meta' && name) head[name] = values['content'] ?? '';
      if (node.tagName === 'link' || node.tagName === 'time') links.push(values);
      if (node.tagName === 'script') {
        head['json-ld'] = node.childNodes.map(walk).join('');
        return '';
      }
      if (node.tagName === 'title') head['title'] = node.childNodes.map(walk).join('');
    }
    return 'childNodes' in node ? node.childNodes.map(walk).join('') : '';
  };
  return { words: walk(parse(html, { scriptingEnabled: false })), head, links };
}

async function isWellFormed(text: string): Promise<void> {
  expect((await validateXML({ normalization: 'c14n', xml: { fileName: 'it.xml', contents: text } })).errors).toEqual(
    [],
  );
}

describe('an archive that others read', () => {
  let api: TestApi;
  let get: (path: string, headers?: Record<string, string>) => request.Test;

  beforeAll(async () => {
    api = await startTestApi({ env: { WEB_DIR: webDir, PUBLIC_URL: ORIGIN, RATE_LIMITS: 'off' } });
    get = (path, headers = {}) => request(api.app).get(path).set(headers);
    const { sha256 } = (await api.context.media.keep(await aPicture(), { post: 'seen' })) as { sha256: string };
    await api.add(
      ...Array.from({ length: 60 }, (_, n) => newPost({ id: `many-${n}`, authorUsername: 'many', author: 'Many' })),
    );
    await api.add(
      newPost({
        id: 'old',
        content: 'Written long ago, <b>saved</b> last & kept',
        authorUsername: 'Ann',
        author: 'Ann Öst',
        category: 'news',
        timestamp: '2009-05-04T03:02:01.000Z',
      }),
      newPost({ id: 'gone', content: 'a secret that leaves', authorUsername: 'Cy', author: 'Cy', category: 'meme' }),
      newPost({
        id: 'seen',
        content: 'with a picture',
        authorUsername: 'Bea',
        author: 'Bea',
      }),
      newPost({ id: 'emoji', content: '🎉🇨🇭👩‍🚀', author: '漢字' }),
      newPost({ id: 'han', content: '漢字の投稿', author: '漢字', authorUsername: 'han' }),
    );
    const media = [{ type: 'image', sha256, key: sha256, width: 8, height: 8 }];
    await api.context.database.db.collection('posts').updateOne({ id: 'seen' }, { $set: { media } });
  });

  afterAll(async () => {
    await api?.close();
    rmSync(webDir, { recursive: true });
  });

  const idOf = async (id: string) => ((await get(`/amber/archives/${id}`)).body as Post)._id;
  const items = async (query: string) => (await get(`/feed.json?${query}`)).body.items as FeedItem[];

  it('gives any filter as a feed, last saved first, fifty at most', async () => {
    const all = await items('');
    expect(all).toHaveLength(50);
    const old = all.find(({ content_text }) => content_text.startsWith('Written long ago'));
    expect(old).toMatchObject({
      id: `${ORIGIN}/post/${await idOf('old')}`,
      date_published: '2009-05-04T03:02:01.000Z',
    });
    expect((await items('handle=ann')).map(({ id }) => id)).toEqual([old?.id]);
    expect((await items('category=news&search=LONG')).map(({ id }) => id)).toEqual([old?.id]);
    for (const format of ['atom', 'rss']) {
      const { text, headers } = await get(`/feed.${format}?handle=ann`);
      expect(headers['content-type']).toBe(`application/${format}+xml; charset=utf-8`);
      expect(text).toContain(`>${old?.id}<`);
      await isWellFormed(text);
    }
    expect(await items('search=nobody+said+this')).toEqual([]);
    await isWellFormed((await get('/feed.atom?search=nobody+said+this')).text);
  });

  it('tells what has not changed without sending it again', async () => {
    // The server sends no time during the second of the last change, because more may change within it.
    const first = await until(async () => {
      const answer = await get('/feed.atom?category=tech');
      const { 'last-modified': told } = answer.headers;
      if (!told) return null;
      const again = await get('/feed.atom?category=tech', { 'If-Modified-Since': told });
      return again.status === 304 ? answer : null;
    });
    const { etag = '', 'last-modified': told = '' } = first.headers;
    expect((await get('/feed.atom?category=tech', { 'If-None-Match': etag })).status).toBe(304);
    expect((await get('/feed.atom?category=tech', { 'If-None-Match': '"other"' })).status).toBe(200);
    const before = new Date(Date.parse(told) - 1_000).toUTCString();
    expect((await get('/feed.atom?category=tech', { 'If-Modified-Since': before })).status).toBe(200);
    // A request with an ETag is answered by the ETag only.
    for (const [named, status] of [
      ['"other"', 200],
      [`"other", ${etag}`, 304],
      ['*', 304],
    ] as const) {
      const both = { 'If-None-Match': named, 'If-Modified-Since': named === '"other"' ? told : before };
      expect([named, (await get('/feed.atom?category=tech', both)).status]).toEqual([named, status]);
    }
  });

  it('tells what is wrong with a filter as a feed', async () => {
    for (const [format, query] of [
      ['atom', 'category=poetry'],
      ['rss', 'startDate=2026-02-30'],
      ['json', 'category=tech&category=news'],
      ['atom', 'startDate=2026-02-02&endDate=2026-02-01'],
      ['rss', 'platform=<b>'],
    ]) {
      const { status, text, headers } = await get(`/feed.${format}?${query}`);
      const name = query?.split('=')[0] as string;
      expect([status, headers['cache-control'], text.includes(name)]).toEqual([400, 'no-store', true]);
      expect(text).toContain(`${PRODUCT_NAME} has no such feed.`);
      if (format === 'json') expect(JSON.parse(text).items).toEqual([]);
      else await isWellFormed(text);
    }
  });

  it('tells author, words and date of a post, an author and a search to who runs no script', async () => {
    const old = await idOf('old');
    for (const [path, canonical, title] of [
      ['/post/old', `/post/${old}`, 'Ann Öst: “Written long ago, <b>saved</b> last & kept”'],
      ['/author/ann', '/author/ann', '@ann in Amber'],
      ['/?search=long+ago&view=table&utm=x', '/?search=long+ago', 'long ago in Amber'],
      ['/?category=news&page=1', '/?category=news', 'news in Amber'],
      ['/?category=poetry&search=ago', '/?search=ago', 'ago in Amber'],
    ] as const) {
      const { status, text, headers } = await get(path);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-cache']);
      const { words, head, links } = read(text);
      for (const said of ['Ann Öst', '@Ann', 'Written long ago, <b>saved</b> last & kept', '4 May 2009']) {
        expect([path, words.includes(said)]).toEqual([path, true]);
      }
      expect(links.some(({ datetime }) => datetime === '2009-05-04T03:02:01.000Z')).toBe(true);
      expect(head['title']).toBe(title);
      expect(head['og:url']).toBe(`${ORIGIN}${canonical}`);
      const feed = links.find(({ type }) => type === 'application/atom+xml')?.['href'] as string;
      expect((await get(feed)).text).toContain(`/post/${old}<`);
      expect((await get(path, { 'If-None-Match': headers['etag'] as string })).status).toBe(304);
    }
    expect(JSON.parse(read((await get('/post/old')).text).head['json-ld'] as string)).toMatchObject({
      articleBody: 'Written long ago, <b>saved</b> last & kept',
      author: { name: 'Ann Öst' },
    });
  });

  it('says of what is not there that it is not, in the page itself', async () => {
    for (const [path, status] of [
      ['/post/none', 404],
      ['/author/none', 404],
    ] as const) {
      const answer = await get(path);
      expect([path, answer.status, read(answer.text).head['robots']]).toEqual([path, status, 'noindex']);
    }
    expect((await get('/?search=none+at+all')).status).toBe(200);
    expect(read((await get('/dashboard')).text).head['title']).toBe('Dashboard, Amber');
  });

  it('shows a post in frames of other sites, where nothing runs', async () => {
    const old = await idOf('old');
    const { text, headers } = await get('/embed/old');
    expect(headers['x-frame-options']).toBeUndefined();
    const policy = headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('frame-ancestors *');
    expect(policy).not.toMatch(/script-src|connect-src|unsafe/);
    expect(text).not.toMatch(/<script|\bon\w+=/i);
    expect(read(text).words).toContain('Written long ago, <b>saved</b> last & kept');
    const answer = await get(`/oembed?url=${encodeURIComponent(`${ORIGIN}/post/old`)}&maxwidth=300&maxheight=250`);
    expect(answer.body).toMatchObject({ version: '1.0', type: 'rich', width: 300, author_name: 'Ann Öst (@Ann)' });
    expect(answer.body.height).toBeLessThanOrEqual(250);
    expect(answer.body.html).toContain(`<iframe src="${ORIGIN}/embed/${old}"`);
    const narrow = await get(`/oembed?url=${encodeURIComponent(`${ORIGIN}/post/old`)}&maxwidth=100`);
    expect(narrow.body.width).toBe(100);
    const xml = await get(`/oembed?format=xml&url=${encodeURIComponent(`${ORIGIN}/post/${old}`)}`);
    await isWellFormed(xml.text);
    for (const [url, status] of [
      ['https://elsewhere.example/post/old', 404],
      [`${ORIGIN}/author/ann`, 404],
      [`${ORIGIN}/post/none`, 404],
      ['not an address', 404],
      [`${ORIGIN}/post/%E0%A4%A`, 400],
    ] as const) {
      expect([url, (await get(`/oembed?url=${encodeURIComponent(url)}`)).status]).toEqual([url, status]);
    }
    expect((await get('/oembed')).status).toBe(400);
    expect((await get('/embed/none')).status).toBe(404);
  });

  it('draws a picture of each post once, whoever asks and however often', async () => {
    const draw = jest.spyOn(DrawingThread.prototype, 'draw');
    const paths = ['old', 'seen', 'emoji', 'han'].flatMap((id) => Array.from({ length: 5 }, () => `/share/${id}`));
    const pictureOf = async (path: string): Promise<request.Response> => {
      const answer = await get(path).buffer(true);
      // On a busy machine the thread may start for so long that a caller is asked to come again.
      return answer.status === 503 ? pictureOf(path) : answer;
    };
    const answers = await Promise.all(paths.map(pictureOf));
    for (const { status, headers, body } of answers) {
      expect([status, headers['content-type']]).toEqual([200, 'image/png']);
      expect(await sharp(body as Buffer).metadata()).toMatchObject({ width: 1200, height: 630 });
    }
    for (const path of paths) await get(path);
    expect(draw).toHaveBeenCalledTimes(4);
    const [{ headers, body }, emoji, han] = [answers[0], answers[10], answers[15]] as [
      request.Response,
      request.Response,
      request.Response,
    ];
    expect(headers['cache-control']).toBe('public, max-age=60');
    expect((await get('/share/old', { 'If-None-Match': headers['etag'] as string })).status).toBe(304);
    // Characters without a glyph are left out; the others are drawn.
    expect(new Set([body, emoji.body, han.body].map((one) => (one as Buffer).toString('base64'))).size).toBe(3);
    const image = read((await get('/post/old')).text).head['og:image'] as string;
    expect((await get(image.slice(ORIGIN.length))).headers['etag']).toBe(headers['etag']);
    draw.mockRestore();
  });

  it('tells search engines of every post', async () => {
    const index = await get('/sitemap.xml');
    await isWellFormed(index.text);
    const [, part = ''] = /<loc>https:\/\/amber\.example(\/sitemap\/\w+\.xml)<\/loc>/.exec(index.text) ?? [];
    const { text } = await get(part);
    await isWellFormed(text);
    expect(text.match(/<loc>/g)).toHaveLength(69);
    expect(text).toContain(`<loc>${ORIGIN}/post/${await idOf('old')}</loc>`);
    expect((await get('/robots.txt')).text).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
    expect((await get('/llms.txt')).text).toContain(`${ORIGIN}/feed.atom`);
    for (const wrong of ['x.xml', '0.xml', `${'0'.repeat(25)}.xml`])
      expect((await get(`/sitemap/${wrong}`)).status).toBe(400);
  });

  it('shows a removed post nowhere any more', async () => {
    const gone = await idOf('gone');
    const places = [
      '/feed.atom?category=meme',
      '/feed.rss?category=meme',
      '/feed.json?category=meme',
      '/?search=secret',
      '/author/cy',
      `/sitemap/${'0'.repeat(24)}.xml`,
    ];
    for (const path of places) expect([path, (await get(path)).text.includes(gone)]).toEqual([path, true]);
    for (const path of ['/post/gone', '/embed/gone', '/share/gone']) expect((await get(path)).status).toBe(200);
    const kept = api.context.pages.pictures.size;
    const post = await api.context.posts.store.find('gone');
    if (post) await api.context.posts.store.remove(post._id);
    expect(api.context.pages.pictures.size).toBe(kept - 1);
    for (const path of places) expect([path, (await get(path)).text.includes(gone)]).toEqual([path, false]);
    for (const path of ['/post/gone', '/embed/gone', '/share/gone', `/oembed?url=${ORIGIN}/post/gone`]) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 410]);
      expect(String(text)).not.toMatch(/secret|Cy\b/);
    }
  });
});

describe('with a budget, and while the archive starts', () => {
  it('has programs wait and browsers not', async () => {
    const folder = makeWebDir();
    const api = await startTestApi({ env: { WEB_DIR: folder, PUBLIC_URL: ORIGIN }, start: false });
    const browser = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none' };
    // Node's own fetch sends the second set of headers.
    for (const program of [{}, { 'Sec-Fetch-Mode': 'cors' }]) {
      const starting = await request(api.app).get('/').set(program);
      expect([starting.status, starting.headers['retry-after']]).toEqual([503, '5']);
    }
    const seen = await request(api.app).get('/?search=x').set(browser);
    expect([seen.status, read(seen.text).head['title']]).toEqual([200, 'x in Amber']);
    await api.context.posts.follower.start();
    await api.add(newPost({ id: 'one', content: 'words for a crawler' }));
    expect((await request(api.app).get('/post/one')).text).toContain('words for a crawler');
    const counters = api.context.database.db.collection('rate_limits');
    await counters.updateMany({ key: /^crawl:/ }, { $set: { points: 600 } });
    // Cached pages cost nothing.
    for (const path of ['/post/one?x', '/?search=words', '/feed.atom', '/share/one', '/embed/one']) {
      const { status, headers } = await request(api.app).get(path);
      expect([path, status, Number(headers['retry-after']) > 0]).toEqual([path, 429, true]);
    }
    // If the full page takes too long, a browser gets a minimal one.
    await until(async () =>
      (await request(api.app).get('/post/one').set(browser)).text.includes('words for a crawler'),
    );
    expect((await request(api.app).get('/amber/archives')).status).toBe(200);
    await api.close();
    rmSync(folder, { recursive: true });
  });
});

describe('where of posts of X the ids alone may be given', () => {
  it('holds back their words in feeds, exports and previews, and shows them on its own page', async () => {
    const folder = makeWebDir();
    const api = await startTestApi({
      env: { WEB_DIR: folder, PUBLIC_URL: ORIGIN, X_EXPORT: 'ids', RATE_LIMITS: 'off' },
    });
    const get = (path: string) => request(api.app).get(path);
    await api.add(
      newPost({
        id: '77',
        content: 'hidden words',
        author: 'Hidden',
        authorUsername: 'hidden',
        url: 'https://x.com/hidden/status/77',
      }),
      newPost({ id: 'ours', content: 'open words' }),
    );
    const origin = { savedBy: { via: 'save' }, capture: { method: 'x-api', complete: true, signed: false } };
    const posts = api.context.database.db.collection('posts');
    await posts.updateOne({ id: '77' }, { $set: { origin } });
    const quoted = { id: '77', platform: 'x', url: 'https://x.com/hidden/status/77' };
    await posts.updateOne({ id: 'ours' }, { $set: { quoted } });
    const { _id } = (await get('/amber/archives/77')).body as Post;
    expect((await get('/amber/archives')).text).toContain('hidden words');
    expect((await get('/amber/archives/ours')).body.quoted.post).toMatchObject({ content: 'hidden words' });
    const { token } = await new TestWallet().signIn(api);
    const collected = (method: 'post' | 'put', path: string) =>
      request(api.app)[method](`/amber/collections${path}`).set('Authorization', `Bearer ${token}`);
    const { body: collection } = await collected('post', '').send({ name: 'Both', isPublic: true });
    for (const id of ['77', 'ours'])
      expect((await collected('put', `/${collection._id}/posts/${id}`)).status).toBe(204);
    for (const path of [
      ...[
        '/feed.atom',
        '/feed.rss',
        '/feed.json',
        '/post/77',
        '/?search=words',
        '/author/hidden',
        '/explore',
        '/embed/77',
        '/post/ours',
        '/embed/ours',
        `/collection/${collection._id}`,
        `/feed.json?collection=${collection._id}`,
        `/amber/collections/${collection._id}/export?format=json`,
      ],
      ...['csv', 'json', 'ndjson', 'ndjson&since=begin'].map((format) => `/amber/archives/export?format=${format}`),
    ]) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, /hidden words|Hidden/.test(text)]).toEqual([path, false]);
      if (/feed|export/.test(path))
        expect([path, text.includes('open words'), text.includes('77')]).toEqual([path, true, true]);
    }
    expect((await get(`/oembed?url=${ORIGIN}/post/77`)).status).toBe(404);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_post', arguments: { id: _id } } };
    const told = await request(api.app).post('/mcp').set('accept', 'application/json, text/event-stream').send(call);
    expect(told.text).toContain(_id);
    expect(told.text).not.toMatch(/hidden words|Hidden/);
    await api.close();
    rmSync(folder, { recursive: true });
  });
});
