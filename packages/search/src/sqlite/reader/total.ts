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
/** Where rows have to be read, beyond this share of all posts reading every row is faster than those that the full text finds. */
const DENSE = 0.5;
export interface ToCount {
  plan: Plan;
  resolve: () => Plan;
  newest: NewestMatches | null;
}

export interface Total {
  total: number;
  /** Since counting began. */
  ms: number;
}

/** How many posts match; remembered until the archive changes. */
export class Totals {
  readonly #file: Statements;
  readonly #kept = new Map<string, number>();
  readonly #turn: number;
  #version = -1;

  constructor(file: Statements, turn = TURN.byTime) {
    this.#file = file;
    this.#turn = turn;
  }

  /** Where the `newest` matches are known, only the older ones are walked through. */
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
    // Others may have asked meanwhile, of another archive.
    if (version === this.#version) {
      if (this.#kept.size >= KEPT_TOTALS) this.#kept.clear();
      this.#kept.set(key, total);
    }
    return { total, ms: performance.now() - startedAt };
  }

  /** The same without remembering it. */
  *count({ plan, resolve, newest }: ToCount): Steps<number> {
    if (!plan) return 0;
    if (newest?.isAll) return newest.ranks.length;
    const table = keptCounts(plan);
    if (table) return countKept(this.#file, table, plan);
    const clauses = resolve();
    if (!clauses) return 0;
    const without = this.#countWithout(clauses);
    if (without !== null) return without;
    const index = toldIndex(clauses);
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
    // Those found just now need not be counted again; after other turns what came meanwhile is among them.
    return total + (isOneTurn ? newest.ranks.length : this.#countAtOnce([boundAt('>=', newest), ...clauses]));
  }

  /** Of posts that are counted as they come, those that the full text does not rule out: it finds the others sooner. */
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

  /** How the matches are counted turn by turn; null where they are counted at once. */
  #passOf(clauses: Clause[]): ((after: Cursor | null) => Passed) | null {
    if (walksFullText(this.#file, clauses)) {
      return walkMatches(this.#file, clauses, 'asc', null, this.#turn).pass;
    }
    return isReadWhole(clauses) ? (after) => passRows(this.#file, clauses, after, this.#turn) : null;
  }
}

/** Those older than the oldest of them, or all others. */
function boundAt(operator: '<' | '>=', { ranks }: NewestMatches): Clause {
  const oldest = ranks.at(-1) as bigint;
  return { test: (column) => ({ sql: `${column} ${operator} ?`, values: [oldest] }), isTime: true };
}

/** The index that tells all that is asked, in whatever order. */
function toldIndex(clauses: Clause[]): PostIndex | undefined {
  const index = clauses.find(({ told }) => told)?.told;
  const isTold = index && clauses.every(({ told, isCovered }) => isCovered || told === index);
  return isTold && !asksFullText(clauses) ? index : undefined;
}

/** Whether the matches are counted as the full text finds them. */
function walksFullText(file: Statements, clauses: Clause[]): boolean {
  return asksFullText(clauses) && !isDense(file, clauses);
}

/** Whether nothing but reading every row can tell. */
function isReadWhole(clauses: Clause[]): boolean {
  const isRead = clauses.some(({ isCovered, index }) => !isCovered && !index);
  return isRead && !clauses.some(({ isFew }) => isFew);
}

/** Whether rows have to be read of which the full text, asked for traits alone, would find most. */
function isDense(file: Statements, clauses: Clause[]): boolean {
  const told = clauses.filter(({ match }) => match);
  if (keptCounts(told) !== 'kind' || beyondFullText(clauses).length === 0) return false;
  return countKept(file, 'kind', told) > countAll(file) * DENSE;
}

/** Reads the rows of one turn. */
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
