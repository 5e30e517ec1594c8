import type { Account, Post } from '@archive/x-stand-in';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ownPartOf } from '../src/sources/own-part.ts';
import { type Fetched, type Look, type SourceRefusal, SourceTrouble, type Target } from '../src/sources/source.ts';
import { targetOf } from '../src/sources/x/addresses.ts';
import { type ReaderOfX, startReaderOfX } from './_x.ts';

const DAY_MS = 86_400_000;
const NOBODY = new AbortController().signal;

describe.each(['new', 'old', 'alternating'] as const)('posts of X in %s names', (vocabulary) => {
  let reader: ReaderOfX;
  let ada: Account;
  let ben: Account;

  beforeEach(async () => {
    reader = await startReaderOfX({ vocabulary });
    ada = reader.x.network.account('ada', { name: 'Ada & Co' });
    ben = reader.x.network.account('ben');
  });
  afterEach(() => reader.close());

  const fetchPost = ({ id }: { id: string }, { thread = false } = {}): Promise<Fetched> =>
    reader.source.fetch(targetOf(id), { thread }, NOBODY);
  const refusalOf = async (post: { id: string }) =>
    (await fetchPost(post).catch((error: SourceRefusal) => error)) as SourceRefusal;
  const look = (...posts: { id: string }[]): Promise<Map<string, Look>> =>
    reader.source.look(
      posts.map(({ id }) => targetOf(id)),
      NOBODY,
    );
  const write = (author: Account, words: string, options: Parameters<typeof reader.x.network.post>[2] = {}): Post =>
    reader.x.network.post(author, words, options);

  it('reads a post with its author, and keeps its part of the answer', async () => {
    const post = write(ada, 'Fish & chips <3 👍', { language: 'en', at: new Date('2026-11-01T10:00:00Z') });
    const { asked, others } = await fetchPost(post);
    expect(asked.post).toEqual({
      id: post.id,
      content: 'Fish & chips <3 👍',
      author: 'Ada & Co',
      authorUsername: 'ada',
      authorAvatar: ada.picture.replace('_normal', '_400x400'),
      authorId: ada.id,
      category: null,
      timestamp: new Date('2026-11-01T10:00:00Z'),
      url: `https://x.com/ada/status/${post.id}`,
      metadata: {},
      language: 'en',
    });
    expect(asked.avatar).toBe(asked.post.authorAvatar);
    expect(others).toEqual([]);
    const [answer] = reader.x.answered
      .slice(-1)
      .map(({ body }) => body as { data: unknown[]; includes: { users: unknown[] } });
    expect(JSON.parse(Buffer.from(asked.raw).toString())).toEqual({
      data: answer?.data[0],
      includes: { users: answer?.includes.users, media: [] },
    });
    expect(reader.spent).toEqual({ reads: 1, milliCents: 500 });
  });

  it('keeps of an answer nothing that others wrote', async () => {
    const question = write(ben, 'what Ben asks', {
      media: [reader.x.network.media({ type: 'photo', alt: 'what Ben shows' })],
    });
    const post = write(ada, 'what Ada says', { replyTo: question, quotes: write(ben, 'what Ben says') });
    const { asked, others } = await fetchPost(post);
    const answered = JSON.stringify(reader.x.answered.map(({ body }) => body));
    expect(answered).toContain('what Ben asks');
    expect(Buffer.from(asked.raw).toString()).toContain('what Ada says');
    expect(Buffer.from(asked.raw).toString()).not.toContain('what Ben');
    expect(Buffer.from(others[0]?.raw ?? []).toString()).toContain('what Ben says');
    const whole = Buffer.from(JSON.stringify(reader.x.answered[0]?.body));
    expect(ownPartOf(asked.target, whole)).toEqual(asked.raw);
    expect(ownPartOf(asked.target, Buffer.from(asked.raw))).toEqual(asked.raw);
    expect(ownPartOf({ ...asked.target, address: '77' }, whole)).toEqual(new Uint8Array());
  });

  it('says where shortened links lead, counting code points of what is shown', async () => {
    const page = 'https://example.com/a?b=1&c=2';
    const post = write(ada, `👍 R&D: ${page} and https://example.org/`, { titles: { [page]: 'R&D 👍' } });
    const { content, links = [] } = (await fetchPost(post)).asked.post;
    expect(links.map(({ url, title }) => [url, title])).toEqual([
      [page, 'R&D 👍'],
      ['https://example.org/', null],
    ]);
    for (const { start, end } of links) {
      expect(Array.from(content).slice(start, end).join('')).toMatch(/^https:\/\/t\.co\/\w{10}$/);
    }
    expect(content).toMatch(/^👍 R&D: https/);
  });

  it('reads all of a long post, and the links in all of it', async () => {
    const words = `${'word & '.repeat(60)}https://example.com/end`;
    const post = write(ada, words);
    expect(post.text).toContain('…');
    const { content, links } = (await fetchPost(post)).asked.post;
    expect(content).toMatch(/^(word & ){60}https:\/\/t\.co\/\w{10}$/);
    expect(links).toEqual([{ start: 420, end: 443, url: 'https://example.com/end', title: null }]);
  });

  it('reads four pictures, a GIF and a video, without the links that stand for them', async () => {
    const { network } = reader.x;
    const photos = [1, 2, 3, 4].map((at) =>
      network.media({ type: 'photo', alt: `Picture ${at}`, width: at, height: 9 }),
    );
    const pictures = (await fetchPost(write(ada, 'Look!', { media: photos, isSensitive: true }))).asked.post;
    expect(pictures.content).toBe('Look!');
    expect(pictures.links).toBeUndefined();
    expect(pictures.sensitive).toBe(true);
    expect(pictures.media?.map(({ type, alt, width }) => [type, alt, width])).toEqual(
      [1, 2, 3, 4].map((at) => ['image', `Picture ${at}`, at]),
    );
    expect(pictures.media?.[0]).toMatchObject({ key: photos[0]?.key, address: `${photos[0]?.url}?name=orig` });

    const variant = (rate: number | undefined, name: string) => ({
      ...(rate !== undefined && { bit_rate: rate }),
      content_type: name.endsWith('mp4') ? 'video/mp4' : 'application/x-mpegURL',
      url: `https://video.twimg.com/${name}`,
    });
    const preview = 'https://pbs.twimg.com/ext_tw_video_thumb/1.jpg';
    const variants = [
      variant(undefined, 'list.m3u8'),
      variant(256_000, 'low.mp4'),
      variant(2_000_000, 'best.mp4'),
      variant(800_000, 'mid.mp4'),
    ];
    const video = network.media({ type: 'video', preview, durationMs: 60_000, variants });
    const long = network.media({ type: 'video', preview, durationMs: 240_000, variants });
    const endless = network.media({ type: 'video', preview, durationMs: 4_000_000, variants });
    const gif = network.media({ type: 'animated_gif', preview, variants: [variant(0, 'gif.mp4')] });
    const read = async (media: typeof video) => (await fetchPost(write(ada, '', { media: [media] }))).asked.post;
    expect(await read(video)).toMatchObject({
      content: '',
      media: [{ type: 'video', address: 'https://video.twimg.com/best.mp4', poster: preview, durationMs: 60_000 }],
    });
    // If the best version of a video exceeds the size limit, a smaller one is used; if all do, the smallest.
    expect((await read(long)).media?.[0]?.address).toBe('https://video.twimg.com/mid.mp4');
    expect((await read(endless)).media?.[0]?.address).toBe('https://video.twimg.com/low.mp4');
    expect((await read(gif)).media).toMatchObject([{ type: 'gif', address: 'https://video.twimg.com/gif.mp4' }]);
  });

  it('reads what a post quotes by itself, with its pictures and all of its text', async () => {
    const words = 'long '.repeat(80).trim();
    const quoted = write(ben, words, { media: [reader.x.network.media({ type: 'photo' })] });
    const post = write(ada, 'See', { quotes: quoted });
    const { asked, others } = await fetchPost(post);
    expect(asked.post).toMatchObject({
      content: 'See',
      quoted: { id: quoted.id, url: `https://x.com/ben/status/${quoted.id}`, state: 'unknown' },
    });
    expect(others.map(({ post }) => post)).toMatchObject([
      { id: quoted.id, content: words, media: [{ type: 'image' }] },
    ]);
    expect(reader.spent.reads).toBe(2);
  });

  it('says of a quoted post that is deleted or protected that it is', async () => {
    const eve = reader.x.network.account('eve', { isProtected: true });
    const gone = write(ben, 'gone');
    const posts = [write(ada, 'one', { quotes: gone }), write(ada, 'other', { quotes: write(eve, 'mine') })];
    reader.x.network.delete(gone);
    const read = await Promise.all(posts.map((post) => fetchPost(post)));
    expect(read.map(({ asked }) => asked.post.quoted?.state)).toEqual(['deleted', 'protected']);
    expect(read.flatMap(({ others }) => others)).toEqual([]);
  });

  it('leaves names that a reply inherits out of its text, and says whom it answers', async () => {
    const first = write(ben, 'Hello @ada and @nobody');
    const reply = write(ada, '@ben yes, @ben', { replyTo: first });
    const { asked, others } = await fetchPost(reply);
    expect(asked.post.content).toBe('@ben yes, @ben');
    expect(asked.post.replyTo).toEqual({
      platform: 'x',
      id: first.id,
      url: `https://x.com/i/web/status/${first.id}`,
      state: 'unknown',
    });
    expect(others).toEqual([]);
    expect(asked.threadRoot).toBeUndefined();
  });

  it('takes the author’s own posts before it along, upwards, and names the first of them', async () => {
    let last = write(ada, 'part 1');
    const parts = [last];
    for (let part = 2; part <= 6; part++) {
      last = write(ada, `part ${part}`, { replyTo: last });
      parts.push(last);
    }
    const { asked, others } = await fetchPost(parts[4] as Post);
    expect(asked.post.content).toBe('part 5');
    expect(others.map(({ post }) => post.content)).toEqual(['part 4', 'part 3', 'part 2', 'part 1']);
    for (const post of [asked, ...others]) expect(post.threadRoot).toEqual({ id: parts[0]?.id });
    expect(JSON.parse(Buffer.from(others[1]?.raw ?? []).toString())).toMatchObject({
      data: { id: parts[2]?.id },
      includes: { users: [{ username: 'ada' }] },
    });
  });

  it('takes the author’s thread of twelve along where it is asked for, and nobody else’s posts', async () => {
    let last = write(ada, 'part 1');
    const parts = [last];
    for (let part = 2; part <= 12; part++) {
      write(ben, `aside ${part}`, { replyTo: last });
      last = write(ada, `part ${part}`, { replyTo: last });
      parts.push(last);
    }
    write(ada, 'to Ben', { replyTo: write(ben, 'question', { replyTo: last }) });
    const { asked, others } = await fetchPost(parts[4] as Post, { thread: true });
    expect(asked.post.content).toBe('part 5');
    expect(others.map(({ post }) => Number(post.content.slice(5))).toSorted((one, two) => one - two)).toEqual([
      1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect(new Set([asked, ...others].map(({ threadRoot }) => threadRoot?.id))).toEqual(new Set([parts[0]?.id]));
  });

  it('follows a thread upwards where it is older than X searches, and reads at most 100 posts of one', async () => {
    const ago = new Date(Date.now() - 30 * DAY_MS);
    let last = write(ada, 'old 1', { at: ago });
    const parts = [last];
    for (let part = 2; part <= 120; part++) {
      last = write(ada, `old ${part}`, { replyTo: last, at: new Date(ago.getTime() + part * 1_000) });
      parts.push(last);
    }
    const { asked, others } = await fetchPost(parts[9] as Post, { thread: true });
    expect([asked, ...others].map(({ post }) => post.content)).toEqual(
      [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((at) => `old ${at}`),
    );
    const whole = await fetchPost(last, { thread: true });
    expect(whole.others).toHaveLength(99);
    let recent = write(ada, 'new 1');
    const first = recent;
    for (let part = 2; part <= 120; part++) recent = write(ada, `new ${part}`, { replyTo: recent });
    expect((await fetchPost(first, { thread: true })).others.map(({ post }) => post.content)).toEqual(
      Array.from({ length: 99 }, (_, at) => `new ${at + 2}`),
    );
  });

  it('comes to an end in a thread that is a circle', async () => {
    const first = write(ada, 'one');
    const second = write(ada, 'two', { replyTo: first });
    const third = write(ada, 'three', { replyTo: second });
    Object.assign(first, { parent: third });
    for (const thread of [false, true]) {
      const { asked, others } = await fetchPost(second, { thread });
      expect([asked, ...others].map(({ post }) => post.content).toSorted()).toEqual(['one', 'three', 'two']);
    }
  });

  it('reads a text whose entities are nonsense', async () => {
    const post = write(ada, 'half a letter https://example.com/ 👍');
    const [link] = post.entities.urls;
    Object.assign(post, {
      text: `\ud83d${post.text}\u0007`,
      displayRange: [900, -1],
      entities: {
        urls: [
          { ...link, start: 4_000, end: 2 },
          { ...link, url: '', expanded_url: 'https://example.com/empty' },
          { ...link, expanded_url: 'javascript:alert(1)' },
          { ...link, start: -1 },
          { url: 7 },
          null,
        ],
        mentions: [{ start: 'a' }],
      },
    });
    const { content, links } = (await fetchPost(post)).asked.post;
    expect(content).toBe(`\ufffdhalf a letter ${link?.url} 👍`);
    expect(links).toEqual([{ start: 15, end: 38, url: 'https://example.com/', title: null }]);
  });

  it('keeps earlier versions of an edited post, and shows the one that was asked for', async () => {
    const { network } = reader.x;
    const first = write(ada, 'teh first', { at: new Date('2026-11-20T10:00:00Z') });
    const second = network.edit(first, 'the first &', new Date('2026-11-20T10:05:00Z'));
    network.edit(second, 'the last', new Date('2026-11-20T10:10:00Z'));
    const { asked } = await fetchPost(second);
    expect(asked.post.content).toBe('the first &');
    expect(asked.versions).toEqual([{ at: new Date('2026-11-20T10:00:00Z'), content: 'teh first' }]);
    expect((await fetchPost(first)).asked.versions).toBeUndefined();
  });

  it('refuses what may not or cannot be kept, with the reason', async () => {
    const { network } = reader.x;
    const deleted = write(ada, 'gone');
    network.delete(deleted);
    const closed = write(network.account('eve', { isProtected: true }), 'mine');
    const suspended = write(network.account('mal', { isSuspended: true }), 'spam');
    const withheld = write(ben, 'no', { withheld: { copyright: false, country_codes: ['DE'], scope: 'post' } });
    const repost = write(ben, '', { reposts: write(ada, 'original') });
    for (const [post, reason] of [
      [deleted, 'not_found'],
      [{ id: '123' }, 'not_found'],
      [closed, 'protected'],
      [suspended, 'withheld'],
      [withheld, 'withheld'],
      [repost, 'not_a_post'],
    ] as const) {
      expect([post.id, (await refusalOf(post)).reason]).toEqual([post.id, reason]);
    }
  });

  it('refuses posts of a protected account that lets our account read them', async () => {
    const post = write(ada, 'for my followers');
    reader.x.faults.add('lookup', {
      kind: 'shape',
      body: {
        data: [{ id: post.id, text: 'for my followers', author_id: ada.id, created_at: '2026-11-20T10:00:00.000Z' }],
        includes: { users: [{ id: ada.id, username: 'ada', name: 'Ada', protected: true }] },
      },
    });
    expect(await refusalOf(post)).toMatchObject({ reason: 'protected' });
  });

  it('tells what became of posts, a hundred at once', async () => {
    const { network } = reader.x;
    const posts = Array.from({ length: 94 }, (_, at) => write(ada, `post ${at}`));
    const [elsewhere, claimed] = [false, true].map((copyright) =>
      write(ben, 'kept', { withheld: { copyright, country_codes: ['DE'] } }),
    ) as [Post, Post];
    const deleted = write(ada, 'gone');
    network.delete(deleted);
    const closed = write(network.account('eve', { isProtected: true }), 'mine');
    const edited = write(ada, 'teh');
    const newer = network.edit(edited, 'the');
    const looked = await look(...posts, elsewhere, claimed, deleted, closed, edited, { id: '77' });
    expect(looked.size).toBe(100);
    expect(posts.every(({ id }) => looked.get(id)?.state === 'live')).toBe(true);
    expect(looked.get(deleted.id)).toEqual({ state: 'deleted' });
    expect(looked.get('77')).toEqual({ state: 'deleted' });
    expect(looked.get(closed.id)).toEqual({ state: 'protected' });
    expect(looked.get(elsewhere.id)).toEqual({ state: 'live' });
    expect(looked.get(claimed.id)).toEqual({ state: 'protected' });
    expect(looked.get(edited.id)).toMatchObject({
      state: 'edited',
      post: { target: { id: edited.id }, post: { id: edited.id, content: 'the' } },
    });
    expect(Buffer.from((looked.get(edited.id) as { post: { raw: Uint8Array } }).post.raw).toString()).toContain(
      newer.id,
    );
  });

  it('spends what X charges for, and nothing for what is not there', async () => {
    const post = write(ada, 'See', { quotes: write(ben, 'this') });
    await fetchPost(post);
    await refusalOf({ id: '77' });
    const charged = reader.x.answered.reduce((sum, { reads }) => sum + reads, 0);
    expect(reader.spent).toEqual({ reads: charged, milliCents: charged * 500 });
    expect(charged).toBe(2);
  });
});

describe('X in trouble', () => {
  let reader: ReaderOfX;
  let target: Target;

  beforeEach(async () => {
    reader = await startReaderOfX();
    target = targetOf(reader.x.network.post(reader.x.network.account('ada'), 'here').id);
  });
  afterEach(() => reader.close());

  const fetchIt = () => reader.source.fetch(target, { thread: false }, NOBODY);

  it('waits until X counts anew, without asking before', async () => {
    const resetAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 60_000);
    reader.x.faults.add('lookup', { kind: 'rate-limit', resetAt });
    await expect(fetchIt()).rejects.toMatchObject({ name: 'Error', until: resetAt });
    await expect(fetchIt()).rejects.toMatchObject({ until: resetAt });
    expect(reader.x.answered).toHaveLength(1);
    expect(reader.alarms).toEqual([]);
  });

  it('asks again once X counts anew', async () => {
    reader.x.faults.add('lookup', { kind: 'rate-limit', resetAt: new Date(Date.now() - 1_000) });
    await expect(fetchIt()).rejects.toThrow(/429/);
    expect((await fetchIt()).asked.post.content).toBe('here');
  });

  it('says once that credits are spent, or that the account may not, until X answers again', async () => {
    reader.x.faults.add('lookup', { kind: 'status', status: 402 }, 3);
    for (let time = 0; time < 3; time++) await expect(fetchIt()).rejects.toThrow(/402/);
    expect(reader.alarms).toEqual(['credits']);
    reader.x.faults.add('lookup', { kind: 'status', status: 403 }, 2);
    for (let time = 0; time < 2; time++) await expect(fetchIt()).rejects.toThrow(/403/);
    expect(reader.alarms).toEqual(['credits', 'configuration']);
    await fetchIt();
    reader.x.faults.add('lookup', { kind: 'status', status: 402 });
    await expect(fetchIt()).rejects.toThrow(/402/);
    expect(reader.alarms).toEqual(['credits', 'configuration', 'credits']);
  });

  it.each([
    ['a server that is down', { kind: 'status', status: 503 }],
    ['an answer that ends half-way', { kind: 'cut' }],
    ['one that is lost', { kind: 'lost' }],
    ['one without an end', { kind: 'endless' }],
    ['an empty object', { kind: 'shape', body: {} }],
    ['a list', { kind: 'shape', body: [] }],
    ['words', { kind: 'shape', body: 'hello' }],
    ['posts that are none', { kind: 'shape', body: { data: 'none' } }],
    ['a post without an id', { kind: 'shape', body: { data: [{ text: 'x' }] } }],
    ['a post without an author', { kind: 'shape', body: { data: [{ id: '1', text: 'x' }] } }],
  ] as const)('tries again after %s', async (_, fault) => {
    reader.x.faults.add('lookup', fault);
    const failure = await fetchIt().catch((error: Error) => error);
    expect(failure).toBeInstanceOf(SourceTrouble);
    expect((await fetchIt()).asked.post.content).toBe('here');
  });

  it('gives up on an answer that takes too long', async () => {
    reader.x.faults.add('lookup', { kind: 'slow', ms: 60_000 });
    const signal = AbortSignal.timeout(200);
    await expect(reader.source.fetch(target, { thread: false }, signal)).rejects.toThrow('could not be reached');
  });

  it('is refused with another secret', async () => {
    const other = await startReaderOfX();
    Object.assign(other.x.credentials, { apiSecret: 'another' });
    await expect(other.source.fetch(target, { thread: false }, NOBODY)).rejects.toThrow(/401.*wrong signature/);
    expect(other.alarms).toEqual(['configuration']);
    await other.close();
  });

  it('takes links to posts alone', async () => {
    const { source } = reader;
    const right = [
      'https://x.com/ada/status/20',
      'http://www.twitter.com/ada/status/20',
      'https://mobile.x.com/i/web/status/20/photo/1?s=20#top',
    ];
    for (const link of right) expect(await source.resolve(link)).toMatchObject({ id: '20', address: '20' });
    const wrong = [
      'https://x.com/ada',
      'https://x.com.example.com/ada/status/20',
      'https://xn--x-0ma.com/ada/status/20',
      'https://t.co/abcdefghij',
      'https://x.com/ada/status/twenty',
      'https://x.com/ada/status/12345678901234567890',
      'ftp://x.com/ada/status/20',
      'https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3l6oveex3ii2l',
      'https://example.com/?u=https://x.com/ada/status/20',
    ];
    for (const link of wrong) expect([link, await source.resolve(link)]).toEqual([link, null]);
    expect(reader.x.answered).toEqual([]);
  });
});
