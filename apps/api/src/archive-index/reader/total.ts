import type { ArchiveFilter } from '@archive/contracts';
import type { Value } from '../index-file.ts';
import type { Clause } from './filters.ts';
import { allOf, asksFullText, fastestSource, fullTextWhere, isFullTextAlone, type Plan } from './plan.ts';
import type { Statements } from './statements.ts';

/** Rows of a scan between two looks at the mailbox: about 5 ms. */
const SCAN_SLICE = 20_000;
const BEFORE_ALL_RANKS = -(2n ** 63n);
const KEPT_TOTALS = 2_000;

/** How many posts match; remembered until the archive changes. */
export class Totals {
  readonly #file: Statements;
  readonly #kept = new Map<string, number>();
  #version = -1;

  constructor(file: Statements) {
    this.#file = file;
  }

  async of(filter: ArchiveFilter, version: number, plan: () => Plan): Promise<number> {
    if (version !== this.#version) {
      this.#kept.clear();
      this.#version = version;
    }
    const key = JSON.stringify(filter);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const clauses = plan();
    const total = clauses ? await countMatches(this.#file, clauses) : 0;
    if (version === this.#version) {
      if (this.#kept.size >= KEPT_TOTALS) this.#kept.clear();
      this.#kept.set(key, total);
    }
    return total;
  }
}

function countMatches(file: Statements, clauses: Clause[]): number | Promise<number> {
  const table = clauses[0]?.counted?.table ?? 'category';
  if (clauses.every(({ counted }) => counted?.table === table)) return countKept(file, table, clauses);
  const isRead = clauses.some(({ isCovered, index }) => !isCovered && !index);
  if (isRead && !asksFullText(clauses) && !clauses.some(({ isFew }) => isFew)) return countByReading(file, clauses);
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

/** Counts by reading every row, in slices, so that other questions are answered in between. */
async function countByReading(file: Statements, clauses: Clause[]): Promise<number> {
  const isTime = (clause: Clause) => clause.isTime === true;
  const times = allOf(clauses.filter(isTime).map((clause) => clause.test('post.rank')));
  const tests = allOf(clauses.filter((clause) => !isTime(clause)).map((clause) => clause.test('post.rank')));
  let total = 0;
  let last: Value = BEFORE_ALL_RANKS;
  for (;;) {
    const [slice] = file.allBig<{ n: bigint; hits: bigint; last: bigint }>(
      `SELECT count(*) AS n, coalesce(sum(hit), 0) AS hits, max(rank) AS last FROM (
         SELECT post.rank AS rank, (${tests.sql}) AS hit FROM post
         WHERE post.rank > ? AND ${times.sql} ORDER BY post.rank LIMIT ${SCAN_SLICE})`,
      ...tests.values,
      last,
      ...times.values,
    ) as [{ n: bigint; hits: bigint; last: bigint }];
    total += Number(slice.hits);
    if (slice.n < SCAN_SLICE) return total;
    last = slice.last;
    await new Promise(setImmediate);
  }
}
