import type { Question } from '../../question.ts';
import type { PostIndex } from '../post-table.ts';
import type { Clause } from './clause.ts';
import type { NewestMatches } from './few-matches.ts';
import { countAll, countKept, countMatches, keptCounts } from './kept-counts.ts';
import { allOf, asksFullText, beyondFullText, type Plan } from './plan.ts';
import type { Statements } from './statements.ts';
import type { Steps } from './steps.ts';
import { type Cursor, type Passed, passed, TURN, walkMatches } from './walk.ts';

export const KEPT_TOTALS = 2_000;
/**
 * If rows must be read: above this share of all posts, reading every row is faster than reading those that the full
 * text finds.
 */
const DENSE = 0.5;
/** Below this share of all posts, reading the rows of a trait is faster than passing an index. */
const RARE_TRAIT = 0.03;
export interface ToCount {
  plan: Plan;
  resolve: () => Plan;
  newest: NewestMatches | null;
}

export interface Total {
  total: number;
  /** Milliseconds that the count took. */
  ms: number;
}

/** Counts matches; totals are kept until the archive changes. */
export class Totals {
  readonly #file: Statements;
  readonly #kept = new Map<string, number>();
  readonly #turn: number;
  #version = -1;

  constructor(file: Statements, turn = TURN.byTime) {
    this.#file = file;
    this.#turn = turn;
  }

  /** If the `newest` matches are known, only older posts are walked. */
  *of(question: readonly Question[], version: number, asked: ToCount): Steps<Total> {
    const startedAt = performance.now();
    if (version !== this.#version) {
      this.#kept.clear();
      this.#version = version;
    }
    const key = JSON.stringify(question);
    const known = this.#kept.get(key);
    if (known !== undefined) return { total: known, ms: 0 };
    const total = yield* this.count(asked);
    // Meanwhile another question may have seen a newer version of the archive.
    if (version === this.#version) {
      if (this.#kept.size >= KEPT_TOTALS) this.#kept.clear();
      this.#kept.set(key, total);
    }
    return { total, ms: performance.now() - startedAt };
  }

  /** Counts without keeping the total. */
  *count({ plan, resolve, newest }: ToCount): Steps<number> {
    if (!plan) return 0;
    if (newest?.isAll) return newest.ranks.length;
    const table = keptCounts(plan);
    if (table) return countKept(this.#file, table, plan);
    const clauses = resolve();
    if (!clauses) return 0;
    const without = this.#countWithout(clauses);
    if (without !== null) return without;
    const index = toldIndex(this.#file, clauses);
    if (index) return countMatches(this.#file, clauses, index);
    const pass = this.#passOf(newest ? [boundAt('<', newest), ...clauses] : clauses);
    if (!pass) return countMatches(this.#file, clauses);
    let total = 0;
    let isOneTurn = true;
    for (let place: Cursor | null = null; ; isOneTurn = false) {
      const turn = pass(place);
      total += turn.matches;
      place = turn.place;
      if (!place) break;
      yield;
    }
    if (!newest) return total;
    // After one turn the newest matches are still valid. After several turns posts may have been added, so they are
    // counted again.
    return total + (isOneTurn ? newest.ranks.length : this.#countAtOnce([boundAt('>=', newest), ...clauses]));
  }

  /**
   * Kept counts less the posts that the full text excludes, which are faster to find. Null if the clauses do not allow
   * this.
   */
  #countWithout(clauses: Clause[]): number | null {
    const excepts = clauses.flatMap(({ except }) => except ?? []);
    const told = clauses.filter(({ except }) => !except);
    const table = keptCounts(told);
    if (excepts.length === 0 || !table || table === 'piece') return null;
    const ruledOut: Clause = { test: () => ({ sql: '1', values: [] }), match: `(${excepts.join(' OR ')})` };
    return countKept(this.#file, table, told) - this.#countAtOnce([...told, ruledOut]);
  }

  #countAtOnce(clauses: Clause[]): number {
    const { pass } = walkMatches(this.#file, clauses, 'asc', null);
    let matches = 0;
    for (let turn = pass(null); ; turn = pass(turn.place)) {
      matches += turn.matches;
      if (turn.place === null) return matches;
    }
  }

  /** How to count the matches turn by turn; null if one query counts them. */
  #passOf(clauses: Clause[]): ((after: Cursor | null) => Passed) | null {
    if (walksFullText(this.#file, clauses)) {
      return walkMatches(this.#file, clauses, 'asc', null, this.#turn).pass;
    }
    return isReadWhole(clauses) ? (after) => passRows(this.#file, clauses, after, this.#turn) : null;
  }
}

/** Posts older than the oldest of the newest matches (`<`), or all others (`>=`). */
function boundAt(operator: '<' | '>=', { ranks }: NewestMatches): Clause {
  const oldest = ranks.at(-1) as bigint;
  return { test: (column) => ({ sql: `${column} ${operator} ?`, values: [oldest] }), isTime: true };
}

/** The index that decides all clauses, in any order, unless the full text finds fewer rows. */
function toldIndex(file: Statements, clauses: Clause[]): PostIndex | undefined {
  const index = clauses.find(({ told }) => told)?.told;
  const isTold = index && clauses.every(({ told, isCovered }) => isCovered || told === index);
  if (!isTold || !asksFullText(clauses)) return isTold ? index : undefined;
  const traits = clauses.filter(({ match }) => match);
  return countKept(file, 'kind', traits) > countAll(file) * RARE_TRAIT ? index : undefined;
}

/** Whether the matches are counted by a walk of the full text. */
function walksFullText(file: Statements, clauses: Clause[]): boolean {
  return asksFullText(clauses) && !isDense(file, clauses);
}

/** Whether every row must be read. */
function isReadWhole(clauses: Clause[]): boolean {
  return clauses.some(({ isCovered }) => !isCovered) && !clauses.some(({ few }) => few);
}

/** Whether rows must be read and the full text, asked for traits alone, would find most of them. */
function isDense(file: Statements, clauses: Clause[]): boolean {
  const told = clauses.filter(({ match }) => match);
  if (keptCounts(told) !== 'kind' || beyondFullText(clauses).length === 0) return false;
  return countKept(file, 'kind', told) > countAll(file) * DENSE;
}

/** Tests the rows of one turn. */
function passRows(file: Statements, clauses: Clause[], place: Cursor | null, turn: number): Passed {
  const isTime = (clause: Clause) => clause.isTime === true;
  const times = clauses.filter(isTime).map((clause) => clause.test('post.rank'));
  const tests = allOf(clauses.filter((clause) => !isTime(clause)).map((clause) => clause.test('post.rank')));
  const bounds = place
    ? allOf([...passed(times, 'post.rank', 'asc'), { sql: 'post.rank > ?', values: place }])
    : allOf(times);
  const [counted] = file.allBig<{ rows: bigint; matches: bigint; last: bigint }>(
    `SELECT count(*) AS rows, coalesce(sum(hit), 0) AS matches, max(rank) AS last FROM (
       SELECT post.rank AS rank, (${tests.sql}) AS hit FROM post
       WHERE ${bounds.sql} ORDER BY post.rank LIMIT ?)`,
    ...tests.values,
    ...bounds.values,
    turn,
  ) as [{ rows: bigint; matches: bigint; last: bigint }];
  return { matches: Number(counted.matches), place: counted.rows < turn ? null : [counted.last] };
}
