import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATEGORIES, PLATFORMS, SORT_FIELDS, SORT_ORDERS, type SortField } from '@archive/contracts';
import { generatePosts, seeded } from '@archive/testing/generate-posts';
import { cases } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FLAGS, type IndexedPost } from '../../indexed-post.ts';
import { type Facts, queryTest, wordQuestion } from '../../testing/reference-query.ts';
import { fold } from '../../testing/reference-text.ts';
import { runWhole } from '../../testing/run-whole.ts';
import { type IndexFile, openForReading, openForWriting } from '../index-file.ts';
import { IndexWriter } from '../writer.ts';
import { IndexReader } from './reader.ts';

const POSTS = cases({ quick: 1_000, full: 3_000 });
const QUESTIONS = cases({ quick: 250, full: 1_000 });
const NOW = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 86_400_000;
const ODD = [
  'Café',
  'cafe',
  'Ёлка',
  'елка',
  'it’s',
  "it's",
  '“so”',
  '"so"',
  'ＣＡＦＥ！',
  '高橋',
  '\u05d0\u05b7',
  '😂👨‍👩‍👧',
  'a\u0301b',
  '-word',
  'foo:bar',
  'has:cats',
  'OR',
  '.*',
  '100%',
  'https://example.com/a',
  'ΟΔΟΣ',
  'ß',
  'i',
];

interface Kept {
  post: IndexedPost;
  facts: Facts;
}

/** Posts with odd words, few authors and few days, for the index and the reference. */
function makePosts(): Kept[] {
  const random = seeded(5);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const threads: Record<string, number> = {};
  const made = [...generatePosts(POSTS, 3)].map((post, n) => {
    const author = {
      name: `${pick(['Lou', 'Ánn', '高橋', 'Delta News'])} ${n % 12}`,
      handle: `${pick(['lou', 'LOU', 'rené', 'delta.example'])}${n % 9}`,
    };
    const link = n % 6 === 0;
    const content =
      `${pick(ODD)} ${post.content.slice(0, 60)} ${pick(ODD)}${link ? ' https://example.org/x' : ''}`.trim();
    const thread = n % 9 === 0 ? `root${n % 400}` : null;
    if (thread) threads[thread] = (threads[thread] ?? 0) + 1;
    const media = pick([[], [], ['image'], ['video'], ['gif', 'video']] as const);
    const facts: Facts = {
      content,
      author: author.name,
      handle: author.handle,
      category: pick([...CATEGORIES, null, null]),
      at: Date.UTC(2026, 0, 1) + (n % 60) * DAY_MS + (n % 7) * 3_600_000,
      savedAt: NOW - (n % 200) * DAY_MS - (n % 3),
      platform: pick(PLATFORMS),
      language: pick(['en', 'pt-BR', 'in', 'fil', null]),
      image: media.some((type) => type !== 'video'),
      video: media.some((type) => type === 'video'),
      link: /https?:\/\//.test(content),
      quote: n % 11 === 0,
      thread: thread !== null,
      featured: n % 97 === 0,
      launched: n % 71 === 0,
      deleted: n % 53 === 0,
      reactions: n % 4 === 0 ? Math.floor(random() * 20) : 0,
    };
    const flags = FLAGS.filter((name) => facts[name]);
    const indexed: IndexedPost = {
      oid: Uint8Array.from({ length: 12 }, () => Math.floor(random() * 256)),
      at: facts.at,
      content,
      author: facts.author,
      handle: facts.handle,
      category: facts.category as IndexedPost['category'],
      media,
      platform: facts.platform as 'x',
      language: facts.language,
      flags,
      savedAt: facts.savedAt,
      reactions: facts.reactions,
      thread,
      featuredAt: facts.featured ? n : null,
      removed: false,
      changed: 0,
    };
    return { post: indexed, facts };
  });
  // A single post of a thread does not count as a thread.
  return made.map(({ post, facts }) => ({ post, facts: { ...facts, thread: (threads[post.thread ?? ''] ?? 0) > 1 } }));
}

const KEYS: Record<SortField, (kept: Kept) => string | number> = {
  timestamp: ({ post }) => post.at,
  author: ({ post }) => post.author.toLowerCase(),
  content: ({ post }) => post.content.toLowerCase(),
  category: ({ post }) => post.category ?? '~',
  saved: ({ post }) => post.savedAt,
  reactions: ({ post }) => post.reactions,
};

function hex(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}

describe('the search language beside a plain reference', () => {
  const folder = mkdtempSync(join(tmpdir(), 'search-language-'));
  const kept = makePosts();
  let written: IndexFile;
  let read: IndexFile;
  let reader: IndexReader;

  beforeAll(async () => {
    const path = join(folder, 'index.sqlite');
    const { db, isEmpty } = openForWriting(path, 'test');
    written = db;
    const writer = new IndexWriter(db, isEmpty);
    await writer.apply({ posts: kept.map(({ post }) => post), position: null });
    writer.finishBuild();
    read = openForReading(path);
    reader = new IndexReader(read);
  });

  afterAll(() => {
    read.close();
    written.close();
    rmSync(folder, { recursive: true });
  });

  function matchesOf(q: string): Kept[] {
    const passes = queryTest(q, NOW);
    return kept.filter(({ facts }) => passes(facts));
  }

  function ask(q: string, sortBy: SortField, sortOrder: 'asc' | 'desc', offset: number, version = 1) {
    const question = { filter: { q }, sort: { sortBy, sortOrder }, offset, limit: 12, split: false, now: NOW, version };
    const { total, oids } = runWhole(reader.list(question));
    return { total, ids: oids.map(hex) };
  }

  it(`answers ${QUESTIONS} generated questions, pages and exports exactly alike`, () => {
    const random = seeded(17);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    let found = 0;
    const differences: unknown[] = [];
    for (let at = 0; at < QUESTIONS; at++) {
      const q = wordQuestion(random, () => pick(kept).facts);
      const [sortBy, sortOrder] = [at % 3 ? 'timestamp' : pick(SORT_FIELDS), pick(SORT_ORDERS)] as const;
      const matches = matchesOf(q);
      const key = KEYS[sortBy];
      const direction = sortOrder === 'asc' ? 1 : -1;
      const compare = (one: string | number, other: string | number) =>
        typeof one === 'string' ? Buffer.compare(Buffer.from(one), Buffer.from(String(other))) : one - Number(other);
      const sorted = matches
        .toSorted(
          (one, other) => direction * compare(key(one), key(other)) || Buffer.compare(one.post.oid, other.post.oid),
        )
        .map(({ post }) => hex(post.oid));
      if (sorted.length > 0) found++;
      for (const offset of [0, Math.floor(random() * (sorted.length + 2))]) {
        const got = ask(q, sortBy, sortOrder, offset);
        const wanted = { total: sorted.length, ids: sorted.slice(offset, offset + 12) };
        if (JSON.stringify(got) !== JSON.stringify(wanted))
          differences.push({ q, sortBy, sortOrder, offset, got, wanted });
      }
      if (at % 10 === 0) {
        const exported = [...reader.export({ q }, { sortBy, sortOrder }, NOW)].flat().map(hex);
        if (exported.join() !== sorted.join())
          differences.push({ q, sortBy, exported: exported.length, wanted: sorted.length });
      }
    }
    expect(differences.slice(0, 3)).toEqual([]);
    expect(found).toBeGreaterThan(QUESTIONS / 2);
  });

  it('suggests the authors of most posts, and words of posts', () => {
    const posts = new Map<string, number>();
    for (const { facts } of kept) {
      const handle = fold(facts.handle);
      if (handle.startsWith('ren')) posts.set(handle, (posts.get(handle) ?? 0) + 1);
    }
    const wanted = [...posts]
      .sort(([one, of], [other, than]) => than - of || (one < other ? -1 : 1))
      .slice(0, 6)
      .map(([handle, count]) => ({ handle, posts: count }));
    const { authors } = reader.suggest({ from: 'RÉN' });
    expect(authors.map(({ handle, posts }) => ({ handle, posts }))).toEqual(wanted);
    expect(reader.suggest({ from: 'nobody' }).authors).toEqual([]);
    const { words } = reader.suggest({ word: 'Thé' });
    expect(words.length).toBeGreaterThan(2);
    for (const word of words) expect(word).toMatch(/^the./);
    for (const word of ['th', '"', '.*x', 'a b c']) expect(reader.suggest({ word }).words).toEqual([]);
  });

  it('answers what nobody means', () => {
    const all = kept.length;
    for (const q of ['""', '\u202e\u0007', '-""']) expect([q, ask(q, 'timestamp', 'desc', 0).total]).toEqual([q, all]);
    for (const q of ['from:nobody', 'OR', 'since:2024-02-30', '"nested "quotes" here"', 'until:0001-01-01']) {
      const wanted = matchesOf(q).length;
      expect([q, ask(q, 'timestamp', 'desc', 0).total]).toEqual([q, wanted]);
    }
    const many = Array.from({ length: 200 }, (_, at) => `${at % 2 ? '-' : ''}w${at}`).join(' OR ');
    expect(ask(many, 'timestamp', 'desc', 0).total).toBe(matchesOf(many).length);
    expect(ask('-zq '.repeat(200), 'author', 'asc', 0).total).toBe(matchesOf('-zq').length);
  });
});
