import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { QUERY_LENGTH, QUERY_TERMS } from './limits.ts';
import { readPanel, writePanel } from './search-panel.ts';
import { HAS_VALUES, IS_VALUES, parseQuery } from './search-query.ts';
import { filterOfWords, isUnfinished, printGroup, printQuery, soughtTexts, wordsOfFilter } from './search-words.ts';

/** Each group as words, and the texts that are no operators. */
function read(words: string) {
  const { groups, notUnderstood } = parseQuery(words);
  return [groups.map(printGroup), notUnderstood.map(({ text }) => text)];
}

describe('the search language', () => {
  test.each([
    ['ferry crossing', ['ferry', 'crossing']],
    ['ferry  OR\tcrossing -"night bus" dawn', ['ferry OR crossing', '-"night bus"', 'dawn']],
    ['a OR b OR -c d', ['a OR b OR -c', 'd']],
    ['"a OR b" OR c', ['"a OR b" OR c']],
    ['From:@Lou since:2024-02-29 until:2024-03-01', ['from:Lou', 'since:2024-02-29', 'until:2024-03-01']],
    [
      'from:"a b" category:Tech lang:pt-BR platform:bluesky',
      ['from:"a b"', 'category:tech', 'lang:pt-BR', 'platform:bluesky'],
    ],
    [HAS_VALUES.map((value) => `has:${value}`).join(' '), HAS_VALUES.map((value) => `has:${value}`)],
    [IS_VALUES.map((value) => `-is:${value}`).join(' '), IS_VALUES.map((value) => `-is:${value}`)],
    [
      'reactions:>10 reactions:>=10 reactions:<3 reactions:<=3 reactions:>=0',
      ['reactions:>10', 'reactions:>9', 'reactions:<3', 'reactions:<4', 'reactions:>=0'],
    ],
    ['since:2016 until:2016', ['since:2016-01-01', 'until:2016-12-31']],
    ['since:2016-02 until:2016-02 until:2015-02', ['since:2016-02-01', 'until:2016-02-29', 'until:2015-02-28']],
    ['until:0050-02', ['until:0050-02-28']],
    ['lang:english lang:French', ['lang:en', 'lang:fr']],
    ['saved:<7d saved:>12h', ['saved:<7d', 'saved:>12h']],
    // Quotation marks of a phone's keyboard.
    ['“night bus” -“day bus”', ['"night bus"', '-"day bus"']],
    ['https://x.com/a 12:30 a:b @lou', ['https://x.com/a', '12:30', 'a:b', '@lou']],
    ['"say "hi" now"', ['"say"', 'hi"', 'now"']],
  ])('%s', (words, groups) => {
    expect(read(words)).toEqual([groups, []]);
  });

  test.each([
    ['since:2024-02-30', ['since:2024-02-30']],
    ['since:2024-13 until:24', ['since:2024-13', 'until:24']],
    ['category:sports has:cats is:new', ['category:sports', 'has:cats', 'is:new']],
    ['from: platform:', ['from:', 'platform:']],
    [
      'reactions:10 reactions:>x saved:7d lang:klingonese title:x',
      ['reactions:10', 'reactions:>x', 'saved:7d', 'lang:klingonese', 'title:x'],
    ],
    ['OR', ['OR']],
    ['OR a OR', ['OR', 'OR']],
    ['a OR OR b', ['OR', 'OR']],
  ])('%s is text, and said to be', (words, notUnderstood) => {
    const parsed = parseQuery(words);
    expect(parsed.notUnderstood.map(({ text }) => text)).toEqual(notUnderstood);
    expect(parsed.groups.every(({ terms }) => terms.length === 1 && terms[0]?.asked.by === 'text')).toBe(true);
  });

  test.each(['', ' \t\n', '\u0000\u0007', '\u200f\u202e', '""', '-""', '“”'])('%j asks nothing', (words) => {
    expect(parseQuery(words)).toEqual({ groups: [], notUnderstood: [], isCut: false });
  });

  test('control characters and marks of direction part words and belong to none', () => {
    expect(read('\u200ffrom:lou\u200f \u202eferry\u0000crossing\u2066')[0]).toEqual(['from:lou', 'ferry', 'crossing']);
  });

  test('a lone dash is text, and an open quotation mark goes on to the end', () => {
    expect(read('- --a -"b c')[0]).toEqual(['-', '--a', '-"b c"']);
  });

  test('200 operators are read as far as the limit, and said to be cut', () => {
    const { groups, isCut } = parseQuery('is:deleted '.repeat(200).trim());
    expect([groups.length, isCut]).toEqual([QUERY_TERMS, true]);
    expect(parseQuery('a'.repeat(QUERY_LENGTH + 1)).isCut).toBe(true);
    expect(parseQuery(Array.from({ length: 200 }, (_, at) => `w${at}`).join(' OR ')).groups[0]?.terms).toHaveLength(
      QUERY_TERMS,
    );
  });
});

/** Words and operators, valid and invalid, in any order. */
const anyTerm = fc.oneof(
  fc.constantFrom(
    'OR',
    '-',
    '"',
    '“',
    'from:lou',
    '-from:"a b"',
    'since:2024-01-31',
    'until:2024-02-30',
    'has:link',
    '-has:media',
    'is:launched',
    'reactions:>=7',
    'saved:<7d',
    'category:tech',
    'foo:bar',
    '"night bus"',
    '-"a',
    'it’s',
    '@lou',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const anyWords = fc.array(anyTerm, { maxLength: 12 }).map((terms) => terms.join(' '));

describe('any words at all', () => {
  test('are read, each at its own place', () => {
    fc.assert(
      fc.property(anyWords, (words) => {
        const { groups } = parseQuery(words);
        let last = 0;
        for (const { terms } of groups) {
          for (const { start, end } of terms) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            last = end;
          }
        }
        expect(last).toBeLessThanOrEqual(words.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test('written in order mean the same, and are written so again', () => {
    fc.assert(
      fc.property(anyWords, (words) => {
        const once = printQuery(parseQuery(words).groups);
        expect(printQuery(parseQuery(once).groups)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('words and panel write each other', () => {
  test('1,000 generated questions lead to one address, typed in any order or through the panel', () => {
    const day = fc.constantFrom('2023-12-31', '2024-02-29', '2026-08-01');
    const word = fc.constantFrom(
      'ferry',
      'dawn',
      'it’s',
      '"night bus"',
      'ferry OR crossing',
      'c++',
      '@lou',
      'Ёж',
      '高橋',
    );
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const fields = fc.record({
      author: maybe(fc.constantFrom('lou', 'delta.example', 'a b', '@x')),
      content: maybe(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))),
      since: maybe(day),
      until: maybe(day),
      category: maybe(fc.constantFrom('tech', 'news')),
      media: maybe(fc.constantFrom('any', 'image', 'video', 'none')),
      platform: maybe(fc.constantFrom('x', 'bluesky', 'other')),
      language: maybe(fc.constantFrom('fr', 'pt-BR')),
      show: maybe(fc.constantFrom('featured', 'launched', 'deleted')),
      reactions: maybe(fc.integer({ min: 1, max: 1_000 })),
    });
    const chips = fc.uniqueArray(
      fc.constantFrom('-"day bus"', '-lou', 'has:link', '-has:thread', 'saved:<7d', 'a OR is:featured'),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(
        fields as fc.Arbitrary<Parameters<typeof writePanel>[0]>,
        chips,
        fc.infiniteStream(fc.nat()),
        (asked, others, order) => {
          const words = writePanel(asked, parseQuery(others.join(' ')).groups);
          const { fields: read, rest } = readPanel(words);
          expect(writePanel(read, rest)).toBe(words);
          const { content, ...told } = read;
          expect(told).toEqual(
            Object.fromEntries(
              Object.entries({ ...asked, content: undefined }).filter(([, value]) => value !== undefined),
            ),
          );
          // Operators change places; texts keep their order.
          const { groups } = parseQuery(words);
          const typed = groups.map((group) => ({ group, at: order.next().value as number }));
          const texts = typed.filter(({ group }) => group.terms[0]?.asked.by === 'text' || group.terms.length > 1);
          const operators = typed.filter((one) => !texts.includes(one)).sort((one, other) => one.at - other.at);
          const shuffled = [...operators.slice(1), ...texts, ...operators.slice(0, 1)]
            .map(({ group }) => printGroup(group))
            .join(' ');
          expect(filterOfWords(shuffled)).toEqual(filterOfWords(words));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('plain words are one text, all else is a question', () => {
    expect(filterOfWords(' coffee morning ')).toEqual({ search: 'coffee morning' });
    expect(filterOfWords('until:2024-02-01 coffee')).toEqual({ q: 'coffee until:2024-02-01' });
    expect(filterOfWords('foo:bar baz')).toEqual({ search: 'foo:bar baz' });
    expect(filterOfWords('baz foo:bar -x')).toEqual({ q: 'baz foo:bar -x' });
    expect(filterOfWords(' "" ')).toEqual({});
  });

  test('an operator that is still being typed is waited for', () => {
    expect(['ferry from:', 'since:2024-0', '-has:im'].map(isUnfinished)).toEqual([true, true, true]);
    expect(['from:lou', 'from: ', 'foo:', 'ferry OR', ''].map(isUnfinished)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test('filters of an older address are said in words', () => {
    expect(wordsOfFilter({ search: 'coffee morning' })).toBe('coffee morning');
    expect(
      wordsOfFilter({
        search: 'coffee morning',
        category: 'tech',
        startDate: '2024-01-01',
        media: 'none',
        featured: 'true',
        launched: 'true',
      }),
    ).toBe('"coffee morning" category:tech -has:media is:featured is:launched since:2024-01-01');
    expect(wordsOfFilter({ search: 'say “a" b', q: '-x', platform: 'x' })).toBe('“say "a" b” -x platform:x');
  });

  test('what is asked to be there is marked, what is asked away is not', () => {
    expect(soughtTexts('ferry OR "night bus" -day from:lou @ann')).toEqual(['ferry', 'night bus', '@ann']);
  });
});
