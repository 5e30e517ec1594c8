import { describe, expect, test } from '@jest/globals';
import { passed } from './walk.ts';

const bounds = [
  { sql: 'search MATCH ?', values: ['words'] },
  { sql: 'search.rowid >= ?', values: [10n] },
  { sql: 'search.rowid < ?', values: [90n] },
];

describe('bounds of a walk that has come to some place', () => {
  test('on its way up the lower ones are tests alone', () => {
    const sql = passed(bounds, 'search.rowid', 'asc').map((one) => one.sql);
    expect(sql).toEqual(['search MATCH ?', '+search.rowid >= ?', 'search.rowid < ?']);
  });

  test('on its way down the upper ones are', () => {
    const sql = passed(bounds, 'search.rowid', 'desc').map((one) => one.sql);
    expect(sql).toEqual(['search MATCH ?', 'search.rowid >= ?', '+search.rowid < ?']);
  });

  test('what they are compared with stays', () => {
    expect(passed(bounds, 'search.rowid', 'asc').map(({ values }) => values)).toEqual([['words'], [10n], [90n]]);
  });
});
