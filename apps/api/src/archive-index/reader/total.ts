import type { ArchiveFilter } from '@archive/contracts';
import type { Value } from '../index-file.ts';
import type { Clause } from './filters.ts';
import { allOf, asksFullText, fastestSource, fullTextWhere, isFullTextAlone, type Plan } from './plan.ts';
import type { Statements } from './statements.ts';

/** Rows of a scan before somebody else has a turn: about 10 ms. */
const SCAN_SLICE = 40_000;
const BEFORE_ALL_RANKS = -(2n ** 63n);
const KEPT_TOTALS = 2_000;
/** Scans begun and not ended, more than can wait; of those that nobody goes on with, the oldest is forgotten. */
const KEPT_SCANS = 512;

/** A count by reading every row, as far as it has come. */
interface Scan {
  startedAt: number;
  version: number;
  clauses: Clause[];
  total: number;
  last: Value;
}

interface Total {
  total: number;
  /** Since counting began. */
  ms: number;
}

/** How many posts match; remembered until the archive changes. */
export class Totals {
  readonly #file: Statements;
  readonly #kept = new Map<string, number>();
  readonly #scans = new Map<string, Scan>();
  #version = -1;

  constructor(file: Statements) {
    this.#file = file;
  }

  /** Null where only a part has been counted: the same question goes on from there. */
  of(filter: ArchiveFilter, version: number, plan: Plan, resolve: () => Plan): Total | null {
    const askedAt = performance.now();
    if (version !== this.#version) {
      this.#kept.clear();
      this.#version = version;
    }
    const key = JSON.stringify(filter);
    const known = this.#kept.get(key);
    if (known !== undefined) return { total: known, ms: 0 };
    const scan = this.#scans.get(key) ?? this.#begin(key, version, plan, resolve);
    if (typeof scan === 'object' && !scanOn(this.#file, scan)) return null;
    this.#scans.delete(key);
    const total = typeof scan === 'object' ? scan.total : scan;
    const { version: counted, startedAt } = typeof scan === 'object' ? scan : { version, startedAt: askedAt };
    if (counted === this.#version) {
      if (this.#kept.size >= KEPT_TOTALS) this.#kept.clear();
      this.#kept.set(key, total);
    }
    return { total, ms: performance.now() - startedAt };
  }

  /** The total where it is found at once. */
  #begin(key: string, version: number, plan: Plan, resolve: () => Plan): number | Scan {
    if (!plan) return 0;
    const table = keptCounts(plan);
    if (table) return countKept(this.#file, table, plan);
    const clauses = resolve();
    if (!clauses) return 0;
    if (!isReadWhole(clauses)) return countMatches(this.#file, clauses);
    const scan: Scan = { startedAt: performance.now(), version, clauses, total: 0, last: BEFORE_ALL_RANKS };
    const [oldest] = this.#scans.keys();
    if (oldest !== undefined && this.#scans.size >= KEPT_SCANS) this.#scans.delete(oldest);
    this.#scans.set(key, scan);
    return scan;
  }
}

/** Whether nothing but reading every row can tell. */
function isReadWhole(clauses: Clause[]): boolean {
  const isRead = clauses.some(({ isCovered, index }) => !isCovered && !index);
  return isRead && !asksFullText(clauses) && !clauses.some(({ isFew }) => isFew);
}

/** The table of counts that tells all that is asked; all posts are those of all categories. */
function keptCounts(clauses: Clause[]): string | null {
  const table = clauses[0] ? clauses[0].counted?.table : 'category';
  return table && clauses.every(({ counted }) => counted?.table === table) ? table : null;
}

function countMatches(file: Statements, clauses: Clause[]): number {
  const { from, where } = isFullTextAlone(clauses)
    ? { from: 'search', where: fullTextWhere(clauses) }
    : fastestSource(clauses);
  const condition = allOf(where);
  const [row] = file.all<{ n: number }>(
    `SELECT count(*) AS n FROM ${from} WHERE ${condition.sql}`,
    ...condition.values,
  );
  return row?.n ?? 0;
}

/** Sums counts that are kept as posts come and go. */
function countKept(file: Statements, table: string, clauses: Clause[]): number {
  const condition = allOf(clauses.flatMap(({ counted }) => counted?.where ?? []));
  const [row] = file.all<{ n: number }>(
    `SELECT coalesce(sum(posts), 0) AS n FROM ${table} WHERE ${condition.sql}`,
    ...condition.values,
  );
  return row?.n ?? 0;
}

/** Reads one more slice; answers whether it was the last. */
function scanOn(file: Statements, scan: Scan): boolean {
  const isTime = (clause: Clause) => clause.isTime === true;
  const times = allOf(scan.clauses.filter(isTime).map((clause) => clause.test('post.rank')));
  const tests = allOf(scan.clauses.filter((clause) => !isTime(clause)).map((clause) => clause.test('post.rank')));
  const [slice] = file.allBig<{ n: bigint; hits: bigint; last: bigint }>(
    `SELECT count(*) AS n, coalesce(sum(hit), 0) AS hits, max(rank) AS last FROM (
       SELECT post.rank AS rank, (${tests.sql}) AS hit FROM post
       WHERE post.rank > ? AND ${times.sql} ORDER BY post.rank LIMIT ${SCAN_SLICE})`,
    ...tests.values,
    scan.last,
    ...times.values,
  ) as [{ n: bigint; hits: bigint; last: bigint }];
  scan.total += Number(slice.hits);
  scan.last = slice.last;
  return slice.n < SCAN_SLICE;
}
