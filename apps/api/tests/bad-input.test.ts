import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newPost, startTestApi, type TestApi } from './_test-api.ts';

const SEED = 2026;
const REQUESTS = 10_000;
const SLOWEST_MS = 1_000;

describe('any request at all', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi();
    await api.add(...Array.from({ length: 200 }, (_, index) => newPost({ content: `words ${index} мир 😂 العربية` })));
  });

  afterAll(() => api.close());

  it(`answers ${REQUESTS.toLocaleString('en-US')} generated requests with 200 or a 4xx that says why, each within a second`, async () => {
    const odd = fc.constantFrom(
      '',
      '0',
      '-1',
      '1e9',
      'NaN',
      'Infinity',
      '99999999999999999999',
      '1.5',
      ' 1',
      '0x10',
      'null',
      'undefined',
      'true',
      '2026-02-30',
      '0000-00-00',
      '9999-12-31',
      '2026-01-01',
      '-271821-04-20',
      '.*',
      '(a+)+$',
      '%',
      '\\',
      '"',
      "'",
      '*',
      'a"b',
      '\u0000',
      '\u0001\u00010',
      '\u0002',
      '\u0085',
      '\u202e',
      '\ufeff',
      '\ufffd',
      '😂',
      '👨‍👩‍👧',
      'اختبار',
      'ß',
      'İ',
      'ﬁ',
      'e\u0301',
      '{"$ne":null}',
      '[object Object]',
      '__proto__',
      'constructor',
      '0123456789abcdef01234567',
      '0123456789abcdef012345678',
      'a'.repeat(200),
      'é'.repeat(300),
      'the '.repeat(120),
      'tech',
      'desc',
      'asc',
      'timestamp',
      'featured',
      'csv',
    );
    const value = fc.oneof(
      odd,
      odd,
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    const name = fc.oneof(
      {
        weight: 9,
        arbitrary: fc.constantFrom(
          'page',
          'limit',
          'search',
          'author',
          'content',
          'handle',
          'category',
          'startDate',
          'endDate',
          'sortBy',
          'sortOrder',
          'split',
          'format',
          'walletAddress',
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('search[]', 'page[$gt]', '__proto__', 'constructor', '$where', '', 'a.b'),
      },
    );
    const path = fc.oneof(
      { weight: 6, arbitrary: fc.constant('/amber/archives') },
      { weight: 1, arbitrary: fc.constant('/amber/archives/export') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('/amber/analytics', '/launches/amber', '/amber/config', '/amber/nothing', '/ready'),
      },
      { weight: 1, arbitrary: value.map((id) => `/amber/archives/${encode(id)}`) },
      { weight: 1, arbitrary: value.map((id) => `/amber/reactions/${encode(id)}`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '/amber/archives/%',
          '/amber/archives/%E0%A4%A',
          '/%2e%2e/%2e%2e/etc/passwd',
          '//',
          '/amber//archives',
        ),
      },
    );
    const requests = fc.sample(
      fc.record({ path, query: fc.array(fc.tuple(name, value), { maxLength: 5 }), broken: fc.nat(40) }),
      { numRuns: REQUESTS, seed: SEED },
    );
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    const ask = async ({ path, query, broken }: (typeof requests)[number]) => {
      const text = query.map(([key, text]) => `${encode(key)}=${encode(text)}`).join('&');
      // Now and then bytes that are no UTF-8 at all.
      const target = `${api.url}${path}?${broken === 0 ? `search=%ff%fe&${text}` : text}`;
      const startedAt = performance.now();
      const response = await fetch(target);
      const body = await response.text();
      const ms = performance.now() - startedAt;
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const isSaid = response.status === 200 || (response.status < 500 && JSON.parse(body).message.length > 0);
      const isNamed = response.status !== 400 || path.includes('%') || JSON.parse(body).errors?.[0]?.path !== undefined;
      if (!isSaid || !isNamed || ms > SLOWEST_MS)
        failures.push(`${response.status} in ${Math.round(ms)} ms: ${target} ${body.slice(0, 300)}`);
    };
    for (let at = 0; at < requests.length; at += 16) await Promise.all(requests.slice(at, at + 16).map(ask));
    expect(failures).toEqual([]);
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 20);
    expect(statuses.get(400)).toBeGreaterThan(REQUESTS / 20);
  }, 120_000);
});

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
