import { type ArchivePage, type Post, SORT_FIELDS, SORT_ORDERS } from '@archive/contracts';
import { generatePosts, withMedia } from '@archive/testing/generate-posts';
import { cases, SERIES_MS } from '@archive/tiers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { ingestPosts } from '../src/ingest/ingest-posts.ts';
import { answerOf, compareTimelines, compareWithReference, ReferenceArchive } from './_reference-archive.ts';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

/** More posts than one ingest call takes. */
const GENERATED = cases({ quick: 1_000, full: 3_000 });
const QUERIES = cases({ quick: 150, full: 600, cluster: 60 });
/** The least number of queries that find posts. */
const FINDING = cases({ quick: 50, full: 300, cluster: 20 });
const EXPORTS = cases({ quick: 8, full: 40, cluster: 3 });
const TIMELINES = cases({ quick: 100, full: 400, cluster: 40 });
const TYPED = cases({ quick: 4, full: 12, cluster: 1 });
const DAY_START = '2026-03-04T00:00:00.000Z';
const DAY_END = '2026-03-04T23:59:59.999Z';

describe('listing beside a plain in-memory reference', () => {
  let api: TestApi;
  let reference: ReferenceArchive;

  beforeAll(async () => {
    api = await startTestApi();
    const generated = [...withMedia(generatePosts(GENERATED, 7))].map((post, index) => ({
      ...post,
      // Minute precision makes ties; a few days hold most posts.
      timestamp: new Date(
        Math.floor(post.timestamp.getTime() / (index % 3 ? 60_000 : 86_400_000 * 5)) *
          (index % 3 ? 60_000 : 86_400_000 * 5),
      ).toISOString(),
      savedAt: post.savedAt?.toISOString(),
      ...(index % 50 === 0 && { url: `https://example.com/posts/${index}` }),
    }));
    const ties = Array.from({ length: 60 }, (_, index) =>
      newPost({
        content: `same moment ${index % 4}`,
        author: 'Tie',
        authorUsername: `tie${index}`,
        timestamp: DAY_START,
      }),
    );
    const odd = [
      '=1+1',
      '\tTab',
      "''-x",
      'a%b_c',
      '"quoted"',
      'ΟΔΟΣ ΟΔΟΣ',
      'İstanbul',
      'e\u0301te\u0301',
      '\u{10437} deseret',
      '\ufb01 ligature',
      'ab',
      'x',
      'It’s “quoted” ‘so’',
      "It's \"quoted\" 'so'",
      'ＣＡＦＥ！ at @tie1',
      'Ёлка и ёж, Йод',
      'Café ΆΝΘΡΩΠΟΣ ø ß',
      'が か\u3099',
      // Equal in the part of the text that the order uses.
      ...['b', 'az', 'aa', ''].map((end) => '\u{1f600}'.repeat(999) + end),
    ].map((content) => newPost({ content, category: null, timestamp: DAY_END }));
    for (let at = 0; at < generated.length; at += 1_000) {
      const report = await ingestPosts(api.context, generated.slice(at, at + 1_000), { tellsOrigin: true });
      expect(report.created).toBe(1_000);
    }
    await api.add(...ties, ...odd);
    const some = JSON.parse(await answerOf(`${api.url}/amber/archives?limit=40&sortBy=content`)) as ArchivePage;
    for (const post of some.data.slice(0, 7)) await api.context.posts.store.setFeatured(new ObjectId(post._id), true);
    const text = await answerOf(`${api.url}/amber/archives/export?format=ndjson`);
    reference = new ReferenceArchive(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Post),
    );
    expect(reference.posts).toHaveLength(GENERATED + ties.length + odd.length);
  });

  afterAll(() => api.close());

  it(
    `answers ${QUERIES} generated questions and ${EXPORTS} exports exactly alike`,
    async () => {
      const result = await compareWithReference(api.url, reference, { queries: QUERIES, exports: EXPORTS, seed: 11 });
      expect(result.differences).toEqual([]);
      expect(result.nonEmpty).toBeGreaterThan(FINDING);
    },
    SERIES_MS,
  );

  it(`draws ${TIMELINES} generated questions over time exactly alike`, async () => {
    const { differences, buckets } = await compareTimelines(api.url, reference, { queries: TIMELINES, seed: 12 });
    expect(differences).toEqual([]);
    expect(Object.keys(buckets)).toEqual(expect.arrayContaining(['day', 'week', 'month']));
  });

  it('answers alike what is typed letter by letter, with other filters and without', async () => {
    const words = reference.posts.slice(0, TYPED).map(({ content }) => content.slice(0, 24));
    const odd = [
      'İstanbul',
      'e\u0301te\u0301',
      'éte\u0301',
      '\u{10437} deseret',
      'ﬁ ligature',
      'ΟΔΟΣ ΟΔΟΣ',
      '"quoted"',
      'a%b_c',
      '@tie12',
      'it’s “quoted”',
      'cafe! at @tie1',
      'елка и ЕЖ',
    ];
    for (const [at, text] of [...words, ...odd].entries()) {
      const others: Record<string, string> = at % 3 === 0 ? { category: reference.posts[at]?.category ?? 'tech' } : {};
      const answers: unknown[] = [];
      const wanted: unknown[] = [];
      for (let length = 1; length <= text.length; length++) {
        const search = text.slice(0, length);
        if (!search.isWellFormed() || search.trim() === '') continue;
        const query = { ...others, search };
        const answer = await answerOf(`${api.url}/amber/archives?${new URLSearchParams(query)}`);
        const { data, pagination } = JSON.parse(answer) as ArchivePage;
        answers.push([search, pagination.total, data.map((post) => post._id)]);
        const { ids, total } = reference.page(query);
        wanted.push([search, total, ids]);
      }
      expect(answers).toEqual(wanted);
    }
  });

  it('shows every post exactly once from page to page in every order', async () => {
    for (const sortBy of SORT_FIELDS) {
      for (const sortOrder of SORT_ORDERS) {
        const seen: string[] = [];
        for (let page = 1; ; page++) {
          const answer = await answerOf(
            `${api.url}/amber/archives?limit=500&page=${page}&sortBy=${sortBy}&sortOrder=${sortOrder}`,
          );
          const { data } = JSON.parse(answer) as ArchivePage;
          if (data.length === 0) break;
          seen.push(...data.map((post) => post._id));
        }
        expect(new Set(seen).size).toBe(reference.posts.length);
        expect(seen).toHaveLength(reference.posts.length);
      }
    }
  });
});
