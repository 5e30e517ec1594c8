import { CATEGORIES } from '@archive/contracts';
import type { PostIndex } from '../post-table.ts';
import { DAY_MS, PERIOD_DAYS } from '../schema.ts';
import type { Clause, Condition } from './clause.ts';
import { allOf, byTime, conditionsOf } from './plan.ts';
import type { Statements } from './statements.ts';

const PERIOD_MS = PERIOD_DAYS * DAY_MS;
/** A whole number of periods before and after every post. */
const EVER = PERIOD_MS * 1_000_000;

type Table = 'category' | 'kind' | 'day' | 'period' | 'piece';

/** The table of counts that tells all that is asked; all posts are those of all categories. */
export function keptCounts(clauses: Clause[]): Table | null {
  const tables = new Set(clauses.map(({ counted }) => counted?.table));
  const [table = 'category'] = tables;
  if (tables.has(undefined)) return null;
  // Each is counted by itself.
  if (tables.has('piece') && clauses.length > 1) return null;
  if (tables.size < 2) return table;
  return tables.has('day') ? 'period' : 'kind';
}

/** Sums counts that are kept as posts come and go. */
export function countKept(file: Statements, table: Table, clauses: Clause[]): number {
  if (table === 'period') return countPeriods(file, clauses);
  return sum(
    file,
    table,
    clauses.flatMap(({ counted }) => counted?.where ?? []),
  );
}

export function countAll(file: Statements): number {
  return countKept(file, 'category', []);
}

/** Counts what an index holds together. */
export function countMatches(file: Statements, clauses: Clause[], index?: PostIndex): number {
  const source = index ? { ...byTime(clauses), from: `post INDEXED BY ${index}` } : byTime(clauses);
  const condition = allOf(conditionsOf(source));
  const [row] = file.all<{ n: number }>(
    `SELECT count(*) AS n FROM ${source.from} WHERE ${condition.sql}`,
    ...condition.values,
  );
  return row?.n ?? 0;
}

/** Whole periods are kept; the posts of days before and after these are counted. */
function countPeriods(file: Statements, clauses: Clause[]): number {
  const kinds = clauses.filter(({ isTime }) => !isTime);
  const since = Math.max(-EVER, ...clauses.flatMap((clause) => clause.since ?? []));
  const until = Math.min(EVER, ...clauses.flatMap((clause) => clause.until ?? []));
  const [first, end] = [Math.ceil(since / PERIOD_MS), Math.floor(until / PERIOD_MS)];
  const count = (from: number, to: number) => (from < to ? countMatches(file, [...kinds, between(from, to)]) : 0);
  if (first >= end) return count(since, until);
  const kept = sum(file, 'period', [
    // They stand in order within each category.
    { sql: `category IN (${[...CATEGORIES, null].map((_, category) => category).join()})`, values: [] },
    { sql: 'period >= ? AND period < ?', values: [first, end] },
    ...kinds.flatMap(({ counted }) => counted?.where ?? []),
  ]);
  return count(since, first * PERIOD_MS) + kept + count(end * PERIOD_MS, until);
}

function between(since: number, until: number): Clause {
  return {
    test: () => ({ sql: 'post.at >= ? AND post.at < ?', values: [since, until] }),
    isTime: true,
    isCovered: true,
  };
}

function sum(file: Statements, table: Table, where: Condition[]): number {
  const { sql, values } = allOf(where);
  const [row] = file.all<{ n: number }>(`SELECT coalesce(sum(posts), 0) AS n FROM ${table} WHERE ${sql}`, ...values);
  return row?.n ?? 0;
}
