import { expect, test } from '@jest/globals';
import { formatAgo, formatCompact, formatDay, formatLanguage, formatRelative, shorten } from './format.ts';
import { formatMoment } from './format-moment.ts';

test('days and moments are said in UTC', () => {
  expect(formatDay('2026-11-20T23:59:59.999Z')).toBe('20 Nov 2026');
  expect(formatMoment('2026-11-20T09:41:00.000Z')).toBe('20 November 2026, 09:41 UTC');
  expect(formatDay('not a date')).toBe('');
});

test('large counts are short', () => {
  expect(formatCompact(412)).toBe('412');
  expect(formatCompact(1300)).toBe('1.3k');
  expect(formatCompact(18_400)).toBe('18.4k');
});

test('a language has a name, whatever the tag says besides', () => {
  expect(formatLanguage('pt-BR')).toBe('Portuguese');
  expect(formatLanguage('in')).toBe('Indonesian');
  expect(formatLanguage('xx')).toBe('xx');
});

test('a wallet is its first 6 and last 4 characters', () => {
  expect(shorten('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtV2mN')).toBe('9WzDXw…V2mN');
  for (const words of ['short', 'command line', 'harbour.bsky.social', 'harbour_lights'])
    expect(shorten(words)).toBe(words);
});

test('how long ago is rounded to what people say', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  expect(formatAgo('2026-11-20T10:00:00Z', now)).toBe('2 hours ago');
  expect(formatAgo('2026-11-20T11:59:50Z', now)).toBe('just now');
  expect(formatAgo('2026-11-19T12:00:00Z', now)).toBe('yesterday');
});

test.each([
  ['2026-11-20T11:59:30Z', 'now'],
  ['2026-11-20T11:55:01Z', '4 min ago'],
  ['2026-11-20T09:59:00Z', '2 h ago'],
  ['2026-11-19T12:00:00Z', 'yesterday'],
  ['2026-11-14T11:00:00Z', '6 days ago'],
  ['2026-11-13T12:00:00Z', '13 Nov 2026'],
  ['2026-11-21T12:00:00Z', '21 Nov 2026'],
  ['no date', ''],
])('what was said at %s is dated %s', (instant, words) => {
  expect(formatRelative(instant, Date.parse('2026-11-20T12:00:00Z'))).toBe(words);
});
