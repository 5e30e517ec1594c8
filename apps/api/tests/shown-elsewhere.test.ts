import type { Post } from '@archive/contracts';
import { describe, expect, it } from '@jest/globals';
import { describeCollectionFeed, describeFeed } from '../src/feeds/describe-feed.ts';
import { postHtml } from '../src/markup/post-html.ts';
import { tellPost } from '../src/mcp/told-post.ts';
import { describePost } from '../src/pages/describe-post.ts';
import { describeEmbed, embeddedId } from '../src/pages/oembed.ts';
import { plainList, plainPost } from '../src/pages/plain-html.ts';
import { given } from '../src/posts/held-back.ts';
import { writeExport } from '../src/posts/write-export.ts';
import { shownMedia, shownPost } from './_post.ts';

const ORIGIN = 'https://amber.example';
const FILE = `/media/${'a'.repeat(64)}`;
const PAGE = `${ORIGIN}/post/0123456789abcdef01234567`;
const reference = (archiveId: string | null) =>
  ({ platform: 'x', id: '5', url: 'https://x.com/i/5', archiveId, state: 'unknown', post: null }) as const;
const bob = { ...shownPost({ author: 'Bob <b>', authorUsername: 'bob', content: 'said\nso' }), _id: 'b0b' };
const quoting = (post: Post | null) => ({ ...reference('b0b'), post }) as NonNullable<Post['quoted']>;

describe('a post as HTML for elsewhere', () => {
  const picture = `<img src="${ORIGIN}${FILE}/preview" alt="" width="100" height="50">`;
  it.each<[string, Partial<Post>, string]>([
    ['a picture', { media: [shownMedia()] }, `<p><a href="${ORIGIN}${FILE}">${picture}</a></p>`],
    [
      'a picture whose file is not here',
      { media: [shownMedia({ url: null })] },
      `<p><a href="${PAGE}">${picture}</a></p>`,
    ],
    [
      'a description',
      { media: [shownMedia({ alt: 'a "cat"' })] },
      `<p><a href="${ORIGIN}${FILE}">${picture.replace('alt=""', 'alt="a &quot;cat&quot;"')}</a></p>`,
    ],
    [
      'no height',
      { media: [shownMedia({ height: null })] },
      `<p><a href="${ORIGIN}${FILE}">${picture.replace(/ width.*"/, '')}</a></p>`,
    ],
    [
      'no width',
      { media: [shownMedia({ width: null })] },
      `<p><a href="${ORIGIN}${FILE}">${picture.replace(/ width.*"/, '')}</a></p>`,
    ],
    ['no preview', { media: [shownMedia({ preview: null })] }, `<p><a href="${PAGE}">Picture</a></p>`],
    [
      'no preview, and a description',
      { media: [shownMedia({ preview: null, alt: '<x>' })] },
      `<p><a href="${PAGE}">Picture</a>: &lt;x&gt;</p>`,
    ],
    [
      'a moving picture without preview',
      { media: [shownMedia({ type: 'gif', preview: null })] },
      `<p><a href="${PAGE}">GIF</a></p>`,
    ],
    [
      'a sensitive film',
      { sensitive: true, media: [shownMedia({ type: 'video' })] },
      `<p><a href="${PAGE}">Video, marked as sensitive</a></p>`,
    ],
    [
      'a quoted post that is not here',
      { quoted: quoting(null) },
      '<p><a href="https://x.com/i/5" rel="noopener nofollow ugc">The post it quotes</a></p>',
    ],
    [
      'a quoted post',
      { quoted: quoting(bob) },
      `<blockquote><p>said<br>so</p><p><a href="${ORIGIN}/post/b0b">Bob &lt;b&gt; (@bob)</a></p></blockquote>`,
    ],
  ])('shows %s', (_, fields, html) => {
    expect(postHtml(shownPost(fields), ORIGIN)).toBe(`<p>words</p>${html}`);
  });

  const link = (start: number, end: number, url = 'https://a.example/') => ({ start, end, url, title: null });
  const anchor = (words: string, url = 'https://a.example/') =>
    `<a href="${url}" rel="noopener nofollow ugc">${words}</a>`;
  it.each([
    ['in the middle', 'see here now', [link(4, 8)], `see ${anchor('here')} now`],
    ['of all of it', 'here', [link(0, 4)], anchor('here')],
    ['behind a character of two units', '😀 here', [link(2, 6)], `😀 ${anchor('here')}`],
    ['side by side, told in another order', 'ab', [link(1, 2), link(0, 1)], `${anchor('a')}${anchor('b')}`],
    ['that overlap', 'abc', [link(0, 2), link(1, 3)], `${anchor('ab')}c`],
    ['of nothing', 'abc', [link(1, 1)], 'abc'],
    ['beyond the end', 'abc', [link(1, 4)], 'abc'],
    ['to a script', 'abc', [link(0, 3, 'javascript:alert(1)')], 'abc'],
    ['of X, which is shown as where it leads', 'https://t.co/aB1', [link(0, 16)], anchor('https://a.example/')],
    ['within other words of X', 'xhttps://t.co/aB1', [link(0, 17)], anchor('xhttps://t.co/aB1')],
  ])('links words %s', (_, content, links, html) => {
    expect(postHtml(shownPost({ content, links }), ORIGIN)).toBe(`<p>${html}</p>`);
  });
});

describe('an entry of a feed', () => {
  const terms = { origin: ORIGIN, isHeldBack: ({ id }: Post) => id === 'held' };
  const entryOf = (fields: Partial<Post>) => describeFeed({}, [shownPost(fields)], terms).entries[0];
  const [first, second] = [shownMedia({ preview: null }), shownMedia({ preview: '/media/second/preview' })];
  const version = (at: string) => ({ at }) as Post['versions'][number];

  it.each([
    ['none', {}, null],
    ['the first that has a preview', { media: [first, second, shownMedia()] }, `${ORIGIN}/media/second/preview`],
    ['none without a preview', { media: [first] }, null],
    ['none of a sensitive post', { media: [second], sensitive: true }, null],
  ])('has of pictures %s', (_, fields, picture) => {
    expect(entryOf(fields)?.picture).toBe(picture);
  });

  it('was changed last when it was saved, or when its last version was, whatever their order', () => {
    const [early, saved, late] = ['2026-01-05T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];
    for (const [versions, at] of [
      [[], saved],
      [[early], saved],
      [[late], late],
      [[late, early], late],
      [[early, late], late],
    ] as const)
      expect(entryOf({ savedAt: saved, versions: versions.map(version) })?.updated.toISOString()).toBe(at);
  });

  it('tells nothing of a post that is held back but its id and times', () => {
    const entry = entryOf({
      id: 'held',
      content: 'secret',
      author: 'Secret',
      url: 'https://secret.example/',
      media: [second],
    });
    expect(JSON.stringify(entry)).not.toMatch(/secret|second/i);
    expect(entry).toMatchObject({
      id: PAGE,
      title: 'A post of X, held',
      published: new Date('2026-01-02T03:04:05.000Z'),
    });
  });

  it('stands in a feed that changed last when its latest entry did, wherever that stands', () => {
    const posts = ['2026-02-02', '2026-04-04', '2026-03-03'].map((day) =>
      shownPost({ savedAt: `${day}T00:00:00.000Z` }),
    );
    for (const some of [posts, posts.toReversed()])
      expect(describeFeed({}, some, terms).updated).toEqual(new Date('2026-04-04T00:00:00.000Z'));
    expect(describeFeed({}, [], terms).updated).toBeNull();
    const changedAt = new Date('2026-05-05T00:00:00.000Z');
    const collection = { _id: { toHexString: () => 'c0' } as never, name: 'Mine', changedAt };
    expect(describeCollectionFeed(collection, posts, terms)).toMatchObject({
      updated: changedAt,
      page: `${ORIGIN}/collection/c0`,
      address: { query: '?collection=c0' },
    });
  });

  it('stands in a feed whose page is that of its author, or the list', () => {
    expect(describeFeed({ handle: 'a/b', category: 'tech' }, [], terms)).toMatchObject({
      page: `${ORIGIN}/author/a%2Fb?category=tech`,
      address: { start: `${ORIGIN}/feed.` },
    });
    expect(describeFeed({ category: 'tech' }, [], terms)).toMatchObject({
      page: `${ORIGIN}/?category=tech`,
      address: { query: '?category=tech' },
    });
  });
});

describe('a post as a program is told it', () => {
  it('tells how many reactions of every kind it has', () => {
    expect(tellPost(shownPost({ reactions: { heart: 1, thumbsUp: 20, thumbsDown: 300 } }), ORIGIN).reactions).toBe(321);
  });

  it.each(['replyTo', 'quoted'] as const)(
    'links the post that it names as %s: here where it is kept, else there',
    (name) => {
      const told = name === 'replyTo' ? 'answers' : 'quotes';
      const none = { answers: null, quotes: null };
      for (const [archiveId, link] of [
        ['abc', `${ORIGIN}/post/abc`],
        [null, 'https://x.com/i/5'],
      ] as const)
        expect(tellPost(shownPost({ [name]: reference(archiveId) }), ORIGIN)).toMatchObject({ ...none, [told]: link });
      expect(tellPost(shownPost(), ORIGIN)).toMatchObject(none);
    },
  );

  it('tells of a list the first 1,000 characters, of one post all', () => {
    for (const [content, isCut] of [
      ['😀'.repeat(1_000), false],
      ['😀'.repeat(1_001), true],
    ] as const) {
      const post = shownPost({ content });
      expect(tellPost(post, ORIGIN)).toMatchObject({ text: '😀'.repeat(1_000), isTextCut: isCut });
      expect(tellPost(post, ORIGIN, { isWhole: true })).toMatchObject({ text: content, isTextCut: false });
    }
  });

  it('tells where files are, here or elsewhere', () => {
    const media = [shownMedia(), shownMedia({ url: null, alt: 'cat' }), shownMedia({ type: 'video' })];
    expect(tellPost(shownPost({ media }), ORIGIN).media).toEqual([
      { type: 'image', url: `${ORIGIN}${FILE}`, alt: null },
      { type: 'image', url: null, alt: 'cat' },
      { type: 'video', url: `${ORIGIN}${FILE}`, alt: null },
    ]);
  });
});

describe('a post on a page that is read without scripts', () => {
  const [one, two] = [shownMedia(), shownMedia({ preview: '/media/b/preview' })];
  it.each<[string, Partial<Post>, string[] | undefined]>([
    ['none', {}, undefined],
    [
      'all that have a preview',
      { media: [one, shownMedia({ preview: null }), two] },
      [`${ORIGIN}${FILE}/preview`, `${ORIGIN}/media/b/preview`],
    ],
    ['none of a sensitive post', { media: [one], sensitive: true }, undefined],
  ])('tells search engines of pictures %s', (_, fields, image) => {
    expect((describePost(shownPost(fields), ORIGIN).jsonLd as { image?: string[] }).image).toEqual(image);
  });

  it('links its original where that is a page, and tells its day by UTC', () => {
    const original = '<p><a href="https://x.com/ada/status/77" rel="noopener nofollow ugc">The original</a></p>';
    expect(plainPost(shownPost(), ORIGIN)).toContain(original);
    expect(plainPost(shownPost({ url: 'javascript:alert(1)' }), ORIGIN)).not.toContain('original');
    const late = plainPost(shownPost({ timestamp: '2026-01-02T23:59:59.999Z' }), ORIGIN);
    expect(late).toContain('<time datetime="2026-01-02T23:59:59.999Z">2 January 2026</time>');
  });

  it.each([
    [0, '0 posts'],
    [1, '1 post'],
    [2, '2 posts'],
    [12_345, '12,345 posts'],
  ])('of a list of %i tells how many there are, and leads on where there are more', (total, told) => {
    const list = { data: [], pagination: { total } };
    const more = '<p><a href="/?page=2&amp;q=a" rel="next">More posts</a></p>';
    const page = (next: string | null) => plainList(list, { title: 'A & b', next, origin: ORIGIN });
    expect(page(null)).toBe(`<h1>A &amp; b</h1><p>${told}.</p>`);
    expect(page('/?page=2&q=a')).toBe(`<h1>A &amp; b</h1><p>${told}.</p>${more}`);
  });
});

describe('a post in a frame', () => {
  it.each([
    [`${ORIGIN}/post/abc`, 'abc'],
    [`${ORIGIN}/embed/abc`, 'abc'],
    [`${ORIGIN}/post/a%20b?from=elsewhere#end`, 'a b'],
    [`${ORIGIN}/post/${'a'.repeat(200)}`, 'a'.repeat(200)],
    [`${ORIGIN}/post/${'a'.repeat(201)}`, null],
    [`${ORIGIN}/post/`, null],
    [`${ORIGIN}/post/abc/more`, null],
    [`${ORIGIN}/author/abc`, null],
    [`${ORIGIN}/x/post/abc`, null],
    [`${ORIGIN}:81/post/abc`, null],
    ['http://amber.example/post/abc', null],
  ])('%s names the post %s', (url, id) => {
    const read = () => embeddedId(url, ORIGIN);
    if (id === null) expect(read).toThrow('not the page of a post');
    else expect(read()).toBe(id);
  });

  const embed = (fields: Partial<Post>, most = {}) => {
    const { width, height } = describeEmbed(shownPost(fields), ORIGIN, most);
    return [width, height];
  };
  it.each<[string, Partial<Post>, { width?: number; height?: number }, [width: number, height: number]]>([
    ['a line', {}, {}, [550, 200]],
    ['a line and pictures', { media: [shownMedia()] }, {}, [550, 496]],
    ['three lines', { content: 'a\nb\nc' }, {}, [550, 248]],
    ['one long line', { content: 'a'.repeat(120) }, {}, [550, 248]],
    ['one long line where there is little room', { content: 'a'.repeat(120) }, { width: 300 }, [300, 300]],
    ['more than is shown', { content: 'a\n'.repeat(100) }, {}, [550, 800]],
    ['more than there is room for', { content: 'a\n'.repeat(100) }, { height: 300 }, [550, 300]],
    ['a line where there is hardly room', {}, { width: 100, height: 90 }, [100, 90]],
    ['a line where there is more room than needed', {}, { width: 900, height: 900 }, [550, 200]],
  ])('is as large as %s needs', (_, fields, most, size) => {
    expect(embed(fields, most)).toEqual(size);
  });
});

describe('a post in a file', () => {
  const written = async (format: 'json' | 'ndjson' | 'csv', chunks: Post[][]) => {
    async function* posts() {
      yield* chunks;
    }
    let text = '';
    for await (const part of writeExport(posts(), format, ORIGIN)) text += part;
    return text;
  };

  it('tells where its pictures are, here alone', async () => {
    const media = [shownMedia(), shownMedia({ url: null, preview: null })];
    const own = shownPost({ media, authorAvatar: FILE });
    const foreign = shownPost({ authorAvatar: 'https://elsewhere.example/a.png' });
    const at = `${ORIGIN}${FILE}`;
    const wanted = [
      {
        authorAvatar: at,
        media: [
          { url: at, preview: `${at}/preview` },
          { url: null, preview: null },
        ],
      },
      { authorAvatar: 'https://elsewhere.example/a.png' },
      { authorAvatar: null },
    ];
    const posts = [own, foreign, shownPost()];
    expect(JSON.parse(await written('json', [posts]))).toMatchObject(wanted);
    const lines = (await written('ndjson', [posts])).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(wanted);
  });

  it.each([
    ['none', []],
    ['one that is empty', [[]]],
    ['an empty one first', [[], [shownPost({ id: '1' })]]],
    ['an empty one between', [[shownPost({ id: '1' })], [], [shownPost({ id: '2' }), shownPost({ id: '3' })]]],
  ])('is whole in every format, of chunks: %s', async (_, chunks) => {
    const ids = chunks.flat().map(({ id }) => id);
    const json = JSON.parse(await written('json', chunks)) as Post[];
    expect(json.map(({ id }) => id)).toEqual(ids);
    const lines = (await written('ndjson', chunks)).split('\n').slice(0, -1);
    expect(lines.map((line) => (JSON.parse(line) as Post).id)).toEqual(ids);
    const rows = (await written('csv', chunks)).split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',')[0])).toEqual(ids);
  });

  it('gives of posts of X their ids, where they came through its API and that is decided', () => {
    const settings = (exports: 'ids' | 'full') =>
      ({ sources: { x: { exports } } }) as unknown as Parameters<typeof given>[1];
    const capture = { method: 'x-api', complete: true, signed: false } as const;
    const inner = quoting(bob);
    const elsewhere = { ...inner, platform: 'bluesky' } as NonNullable<Post['quoted']>;
    const ofX = shownPost({ capture, quoted: inner, replyTo: inner, authorId: '9', media: [shownMedia()] });
    expect(given(ofX, settings('full'))).toEqual(ofX);
    expect(given(ofX, settings('ids'))).toMatchObject({
      ...{
        id: '77',
        content: '',
        author: '',
        authorUsername: '',
        authorId: null,
        language: null,
        links: [],
        media: [],
      },
      ...{ quoted: null, replyTo: null, versions: [], url: 'https://x.com/i/web/status/77' },
    });
    const imported = shownPost({ quoted: inner, replyTo: elsewhere });
    expect(given(imported, settings('ids'))).toEqual({
      ...imported,
      quoted: { ...inner, url: 'https://x.com/i/web/status/5', post: null },
    });
    const turned = shownPost({ quoted: elsewhere, replyTo: inner });
    expect(given(turned, settings('ids'))).toEqual({
      ...turned,
      replyTo: { ...inner, url: 'https://x.com/i/web/status/5', post: null },
    });
  });
});
