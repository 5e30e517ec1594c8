import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cutCodePoints, HEAD_TEXT_LENGTH, type Post } from '@archive/contracts';
import { cases } from '@archive/tiers';
import { expect, test } from '@jest/globals';
import { parseFeed } from '@rowanmanning/feed-parser';
import fc from 'fast-check';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { validateXML } from 'xmllint-wasm';
import { describePost } from '../pages/describe-post.ts';
import { headHtml } from '../pages/head-html.ts';
import { plainPost } from '../pages/plain-html.ts';
import { describeFeed } from './describe-feed.ts';
import { writeFeed } from './write-feed.ts';

const ORIGIN = 'https://amber.example';
const POSTS = cases({ quick: 1_000, full: 10_000 });
const HEADS = cases({ quick: 200, full: 1_000 });
const SEED = 13;

/**
 * Texts that end a tag, a comment, a script or a CDATA section, or name an entity, and characters that are invalid in
 * XML.
 */
const odd = fc.oneof(
  fc.constantFrom(
    ...['<', '>', '&', '"', "'", ']]>', '<![CDATA[', '</script>', '<script>alert(1)</script>', '<!--', '-->', '--!>'],
    ...['&lt;', '&amp;lt;', '&#0;', '&#x1F600;', '&copy', '&notit;', '</title>', '</noscript>', '</p>', '<?xml ?>'],
    ...['\u0000', '\u0001', '\u0008', '\u000b', '\u000c', '\u001b', '\u001f', '\u007f', '\u0080', '\u0085', '\u009f'],
    ...['\r\n', '\r', '\n', '\t', ' ', '\u00a0', '\u2028', '\u2029', '\ufeff', '\u200d', '\u00ad'],
    ...['\ud800', '\udc00', '\udbff\udbff', '\ufffe', '\uffff', '\ufdd0', '\u{1fffe}', '\u{10ffff}', '\ufffd'],
    ...[
      '\u202e',
      '\u2066',
      '\u200f',
      'שלום',
      'مرحبا',
      '漢字',
      '🇨🇭',
      '👩‍🚀',
      'e\u0301',
      'javascript:alert(1)',
      '\\u003c',
    ],
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const words = fc.array(odd, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

const posts: Post[] = fc
  .sample(fc.record({ content: words, author: words, handle: words, alt: words, url: words }), {
    numRuns: POSTS,
    seed: SEED,
  })
  .map(({ content, author, handle, alt, url }, n) => ({
    _id: n.toString(16).padStart(24, '0'),
    id: String(n),
    content,
    author,
    authorUsername: handle,
    authorAvatar: null,
    category: n % 2 ? 'tech' : null,
    timestamp: new Date(1_000_000_000_000 + n * 1_000).toISOString(),
    url: n % 3 ? url : `https://elsewhere.example/${url}`,
    featured: false,
    featuredAt: null,
    featuredBy: null,
    payee: null,
    launched: false,
    reactions: { heart: 0, thumbsUp: 0, thumbsDown: 0 },
    metadata: {},
    platform: 'other',
    authorId: null,
    language: 'en',
    links: n % 5 ? [] : [{ start: 0, end: 1, url: n % 2 ? url : 'https://a.example/?x="&y=<', title: null }],
    sensitive: n % 7 === 0,
    media: [
      {
        type: 'image',
        url: `/media/${'a'.repeat(64)}`,
        preview: `/media/${'a'.repeat(64)}/preview`,
        sha256: 'a'.repeat(64),
        width: 100,
        height: 50,
        alt,
        durationMs: null,
        thumbhash: null,
        missing: false,
      },
    ],
    replyTo: null,
    quoted: n % 11 ? null : { platform: 'other', id: '1', url, archiveId: null, state: 'unknown', post: null },
    thread: null,
    source: { state: 'unknown', checkedAt: null },
    versions: [],
    savedAt: new Date(1_700_000_000_000 + n * 1_000).toISOString(),
    savedBy: { via: 'import' },
    capture: { method: 'import', complete: true, signed: false },
  }));

/** The characters of a text that a document may contain. A second implementation, by code point. */
function standing(text: string): string {
  let kept = '';
  for (const character of text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')) {
    const point = character.codePointAt(0) as number;
    const isControl = (point < 0x20 && point !== 9 && point !== 10) || (point >= 0x7f && point <= 0x9f);
    const isNothing = (point >= 0xfdd0 && point <= 0xfdef) || (point & 0xfffe) === 0xfffe;
    if (point >= 0xd800 && point <= 0xdfff) kept += '\ufffd';
    else if (!isControl && !isNothing) kept += character;
  }
  return kept;
}

const feedOf = (some: readonly Post[]) =>
  describeFeed({ search: 'a <b> & ]]> "c"' }, some, { origin: ORIGIN, isHeldBack: () => false });
const batches = Array.from({ length: POSTS / 50 }, (_, at) => posts.slice(at * 50, (at + 1) * 50));

/** The text of an HTML fragment, and the elements in it that could run code. */
function read(html: string): { words: string; elements: string[] } {
  const elements: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node): string => {
    if ('value' in node) return node.value;
    if ('tagName' in node) {
      elements.push(node.tagName);
      for (const { name, value } of node.attrs) {
        const leads = name === 'href' || name === 'src';
        if (name.startsWith('on') || (leads && !/^(https?:\/\/|\/)/i.test(value))) elements.push(`${name}=${value}`);
      }
      if (node.tagName === 'br') return '\n';
    }
    return 'childNodes' in node ? node.childNodes.map(walk).join('') : '';
  };
  return { words: walk(parseFragment(html)), elements };
}

const HARMLESS = ['p', 'a', 'br', 'img', 'blockquote', 'article', 'bdi', 'div', 'time'];
const SCHEMAS = { atom: readSchema('atom.rng'), rss: readSchema('rss.rng') };

function readSchema(fileName: string) {
  return { fileName, contents: readFileSync(join(import.meta.dirname, fileName), 'utf8') };
}

function validate(format: 'atom' | 'rss', texts: string[]) {
  return validateXML({
    extension: 'relaxng',
    schema: SCHEMAS[format],
    xml: texts.map((contents, at) => ({ fileName: `${at}.${format}`, contents })),
    initialMemoryPages: 1_024,
    maxMemoryPages: 32_768,
  });
}

test.each(['atom', 'rss'] as const)(
  `every feed of ${POSTS} odd posts is valid: %s`,
  async (format) => {
    const { errors } = await validate(
      format,
      batches.map((some) => writeFeed(format, feedOf(some))),
    );
    expect(errors).toEqual([]);
  },
  120_000,
);

test.each([
  ['atom', /<updated>[^<]*<\/updated>/],
  ['atom', /<content type="html">[\s\S]*?<\/content>/],
  ['atom', /(?<=<uri>http)s/],
  ['rss', /<guid[\s\S]*?<\/guid>/],
  ['rss', / GMT(?=<\/pubDate>)/],
  ['rss', /<description>[^<]*<\/description>/],
] as const)('no feed is valid without what it has to hold: %s, %s', async (format, part) => {
  const feed = writeFeed(format, feedOf(posts.slice(0, 3)));
  const harmed = feed.replace(part, (found) => (found === 's' ? ' s' : ''));
  expect(harmed).not.toBe(feed);
  expect((await validate(format, [harmed])).errors.length).toBeGreaterThan(0);
});

test(`strict readers of feeds find every word of ${POSTS} odd posts`, () => {
  for (const [batch, some] of batches.entries()) {
    const feed = feedOf(some);
    const atom = parseAtomFeed(writeFeed('atom', feed));
    const rss = batch % 4 === 0 ? parseRssFeed(writeFeed('rss', feed)) : null;
    const raw = JSON.parse(writeFeed('json', feed)) as { items: { content_text: string }[] };
    const json = parseJsonFeed(raw);
    expect([atom.entries?.length, json.items?.length]).toEqual([50, 50]);
    if (rss) expect(rss.items?.length).toBe(50);
    if (batch % 10 === 0) {
      const other = parseFeed(writeFeed('atom', feed));
      expect(other.items.map(({ id }) => id)).toEqual(some.map(({ _id }) => `${ORIGIN}/post/${_id}`));
    }
    for (const [at, { _id, content, timestamp, links }] of some.entries()) {
      const id = `${ORIGIN}/post/${_id}`;
      const [entry, one] = [atom.entries?.[at], json.items?.[at]];
      expect([entry?.id, one?.id]).toEqual([id, id]);
      const item = rss?.items?.[at] ?? { guid: { value: id }, content: { encoded: entry?.content?.value } };
      expect(Date.parse(String(entry?.published))).toBe(Date.parse(timestamp));
      expect(raw.items[at]?.content_text).toBe(standing(content));
      const html = entry?.content?.value ?? '';
      expect([item.guid?.value, item.content?.encoded, one?.content_html]).toEqual([id, html, html]);
      const { words: told, elements } = read(html);
      if (links.length === 0)
        expect(told.startsWith(standing(content).trim()) || told.startsWith(standing(content))).toBe(true);
      expect(elements.filter((name) => !HARMLESS.includes(name))).toEqual([]);
    }
  }
});

test(`the head of a page holds exactly the words of ${HEADS} odd posts, and its body nothing that runs`, () => {
  for (const post of posts.slice(0, HEADS)) {
    const head = headHtml(describePost(post, ORIGIN));
    const errors: string[] = [];
    const document = parse(
      `<!doctype html><html lang="en"><head>${head}</head><body><noscript>${plainPost(post, ORIGIN)}</noscript></body></html>`,
      { scriptingEnabled: false, onParseError: ({ code }) => errors.push(code) },
    );
    expect(errors).toEqual([]);
    const found: Record<string, string> = {};
    const elements: string[] = [];
    const walk = (node: DefaultTreeAdapterTypes.Node) => {
      if ('tagName' in node) {
        const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
        const name = attributes['property'] ?? attributes['name'];
        if (node.tagName === 'meta' && name) found[name] = attributes['content'] ?? '';
        const [child] = node.childNodes;
        const inside = child && 'value' in child ? child.value : '';
        if (node.tagName === 'title') found['title'] = inside;
        if (node.tagName === 'script') found[attributes['type'] ?? 'script'] = inside;
        elements.push(node.tagName);
      }
      if ('childNodes' in node) node.childNodes.forEach(walk);
    };
    walk(document);
    const whole = standing(cutCodePoints(post.content, HEAD_TEXT_LENGTH));
    const who = standing(`${post.author} (@${post.authorUsername})`);
    expect([found['description'], found['og:description'], found['twitter:description']]).toEqual([
      whole,
      whole,
      whole,
    ]);
    expect([found['og:title'], found['twitter:title']]).toEqual([who, who]);
    expect(found['title']?.startsWith(standing(post.author.replace(/\s+/g, ' ').trim()))).toBe(true);
    expect(JSON.parse(found['application/ld+json'] ?? '')).toMatchObject({
      '@type': 'SocialMediaPosting',
      articleBody: standing(post.content),
      datePublished: post.timestamp,
      author: { name: standing(post.author) },
    });
    expect(elements.filter((name) => name === 'script')).toHaveLength(1);
    const allowed = [...HARMLESS, 'html', 'head', 'body', 'title', 'meta', 'link', 'script', 'noscript'];
    expect(elements.filter((name) => !allowed.includes(name))).toEqual([]);
  }
});
