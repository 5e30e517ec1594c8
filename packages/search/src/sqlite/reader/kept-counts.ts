import { firstDayOf, monthOf } from '@archive/contracts';
import { DAY_MS } from '../../figures.ts';
import type { PostIndex } from '../post-table.ts';
import type { Clause, Condition, Counted } from './clause.ts';
import { allOf, byTime, conditionsOf } from './plan.ts';
import type { Statements } from './statements.ts';

/** Milliseconds: 20,000 years, more than the distance of any post from 1970. */
const EVER = DAY_MS * 365 * 20_000;

export type KeptTable = Counted['table'] | 'month';

/**
 * The count table that decides all clauses; null if there is none. Without clauses it is `category`, whose sum counts
 * all posts.
 */
export function keptCounts(clauses: Clause[]): KeptTable | null {
  const tables = new Set(clauses.map(({ counted }) => counted?.table));
  const [table = 'category'] = tables;
  if (tables.has(undefined)) return null;
  // Counts of short texts and of authors cannot be combined with other clauses.
  if ((tables.has('piece') || tables.has('author')) && clauses.length > 1) return null;
  if (tables.size < 2) return table;
  return tables.has('day') ? 'month' : 'kind';
}

/** Sums kept counts. */
export function countKept(file: Statements, table: KeptTable, clauses: Clause[]): number {
  if (table === 'month') return countMonths(file, clauses);
  return sum(
    file,
    table,
    clauses.flatMap(({ counted }) => counted?.where ?? []),
  );
}

export function countAll(file: Statements): number {
  return countKept(file, 'category', []);
}

/** Counts the matches by walking an index. */
export function countMatches(file: Statements, clauses: Clause[], index?: PostIndex): number {
  const source = index ? { ...byTime(clauses), from: `post INDEXED BY ${index}` } : byTime(clauses);
  const condition = allOf(conditionsOf(source));
  const [row] = file.all<{ n: number }>(
    `SELECT count(*) AS n FROM ${source.from} WHERE ${condition.sql}`,
    ...condition.values,
  );
  return row?.n ?? 0;
}

/** Sums the kept counts of whole months, and counts the posts of the days before and after them. */
function countMonths(file: Statements, clauses: Clause[]): number {
  const kinds = clauses.filter(({ isTime }) => !isTime);
  const since = Math.max(-EVER, ...clauses.flatMap((clause) => clause.since ?? []));
  const until = Math.min(EVER, ...clauses.flatMap((clause) => clause.until ?? []));
  const { first, end } = wholeMonths(since / DAY_MS, until / DAY_MS);
  const count = (from: number, to: number) => (from < to ? countMatches(file, [...kinds, between(from, to)]) : 0);
  if (first >= end) return count(since, until);
  const kept = sum(file, 'month', keptMonths(kinds, first, end));
  return count(since, firstDayOf(first) * DAY_MS) + kept + count(firstDayOf(end) * DAY_MS, until);
}

/** `first` is the first month completely within these days; `end` is the month after the last such month. */
function wholeMonths(from: number, to: number): { first: number; end: number } {
  const month = monthOf(from);
  return { first: firstDayOf(month) < from ? month + 1 : month, end: monthOf(to) };
}

/** Conditions on the rows of these months. */
function keptMonths(kinds: Clause[], first: number, end: number): Condition[] {
  return [
    { sql: 'month >= ? AND month < ?', values: [first, end] },
    ...kinds.flatMap(({ counted }) => counted?.where ?? []),
  ];
}

function between(since: number, until: number): Clause {
  return {
    test: () => ({ sql: 'post.at >= ? AND post.at < ?', values: [since, until] }),
    isTime: true,
    isCovered: true,
  };
}

function sum(file: Statements, table: KeptTable, where: Condition[]): number {
  const { sql, values } = allOf(where);
  const [row] = file.all<{ n: number }>(`SELECT coalesce(sum(posts), 0) AS n FROM ${table} WHERE ${sql}`, ...values);
  return row?.n ?? 0;
}
