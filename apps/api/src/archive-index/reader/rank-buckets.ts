import { bucketStart } from '@archive/contracts';
import type { Value } from '../index-file.ts';
import { DAY_MS } from '../schema.ts';
import type { Clause, Condition } from './clause.ts';
import { allOf, beyondFullText, byTime, conditionsOf, fullTextWhere } from './plan.ts';
import type { Statements } from './statements.ts';
import { BEFORE_ALL_RANKS, isReadWhole, toldIndex, walksFullText } from './total.ts';
import { type Place, testedInPost } from './walk.ts';

const FIRST_SIGN = '0'.charCodeAt(0);
/** Halves of a sign. */
const SURROGATES = 0xd800;
const SURROGATES_COUNT = 0x800;

/** Posts by the day since 1970 on which a day or month begins. */
export type Counts = Map<number, number>;

/** What is counted by, and within which days; `to` is the day after. */
export interface Part {
  grain: 'day' | 'month';
  from: number;
  to: number;
}

/** Counts on after a place; answers where it has come to, or null at the end. */
export type Count = (part: Part, counts: Counts, after: Place | null) => Place | null;

/** Where each day or month with posts begins: whatever is walked tells the rank of a match, and little its time. */
interface Edges {
  starts: number[];
  /** The first rank of each. */
  ranks: bigint[];
}

/** Rows of one turn, and which of them are matches. */
interface Rows {
  sql: string;
  values: Value[];
  /** How their rank is named. */
  rank: string;
  /** Null where all are. */
  matches: Condition | null;
}

/** Counts matches by the days or months into which their ranks fall, as the total counts them. */
export class RankBuckets {
  readonly #file: Statements;
  readonly #turn: number;
  #kept: { name: string; edges: Edges } | null = null;

  constructor(file: Statements, turn: number) {
    this.#file = file;
    this.#turn = turn;
  }

  counting(clauses: Clause[]): Count {
    const isWalked = walksFullText(this.#file, clauses);
    const isTurned = isWalked || isReadWhole(clauses);
    return (part, counts, after) => {
      const { starts, ranks } = this.#edgesOf(part);
      if (starts.length === 0) return null;
      const asked = [...clauses, this.#within(part)];
      const place = after?.[0] ?? BEFORE_ALL_RANKS;
      const rows = !isTurned
        ? atOnce(asked)
        : isWalked
          ? ofText(asked, place, this.#turn)
          : ofPosts(asked, place, this.#turn);
      const mark = markOf(rows.rank, ranks);
      const matched = rows.matches;
      const marked: Condition = matched
        ? { sql: `CASE WHEN ${matched.sql} THEN ${mark.sql} END`, values: [...matched.values, ...mark.values] }
        : mark;
      const [told] = this.#file.allBig<{ rows: bigint; last: bigint | null; marks: string | null }>(
        `SELECT count(*) AS rows, max(${rows.rank}) AS last, group_concat(${marked.sql}, '') AS marks FROM ${rows.sql}`,
        ...marked.values,
        ...rows.values,
      );
      for (const [number, posts] of countMarks(told?.marks ?? '')) add(counts, starts[number] as number, posts);
      return isTurned && told?.last != null && Number(told.rows) >= this.#turn ? [told.last] : null;
    };
  }

  /** Days and months without a post of the archive are none. */
  #edgesOf({ grain, from, to }: Part): Edges {
    // Another connection's changes are seen from the first question of a moment on.
    const [version] = this.#file.all('PRAGMA data_version');
    const name = JSON.stringify([version, grain, from, to]);
    if (this.#kept?.name === name) return this.#kept.edges;
    const days = this.#file.all<{ day: number }>(
      'SELECT day FROM day WHERE posts > 0 AND day >= ? AND day < ? ORDER BY day',
      from,
      to,
    );
    const starts = [...new Set(days.map(({ day }) => bucketStart(grain, day)))];
    const edges = { starts, ranks: starts.map((start) => this.#file.rankFrom(start * DAY_MS)) };
    this.#kept = { name, edges };
    return edges;
  }

  #within({ from, to }: Part): Clause {
    const [first, end] = [from, to].map((day) => this.#file.rankFrom(day * DAY_MS)) as [bigint, bigint];
    return {
      test(column) {
        const rank = column === 'post.at' ? 'post.rank' : column;
        return { sql: `${rank} >= ? AND ${rank} < ?`, values: [first, end] };
      },
      isTime: true,
      isCovered: true,
    };
  }
}

function ofText(clauses: Clause[], place: Value, turn: number): Rows {
  const where = allOf([...fullTextWhere(clauses), { sql: 'search.rowid > ?', values: [place] }]);
  const tests = testedInPost(beyondFullText(clauses));
  const hit = allOf(tests);
  return {
    rank: 'search.rowid',
    sql: `(SELECT search.rowid FROM search WHERE ${where.sql} ORDER BY search.rowid LIMIT ?) AS search`,
    values: [...where.values, turn],
    matches: tests.length === 0 ? null : hit,
  };
}

function ofPosts(clauses: Clause[], place: Value, turn: number): Rows {
  const isTime = (clause: Clause) => clause.isTime === true;
  const times = allOf(clauses.filter(isTime).map((clause) => clause.test('post.rank')));
  const tests = allOf(clauses.filter((clause) => !isTime(clause)).map((clause) => clause.test('post.rank')));
  return {
    rank: 'post.rank',
    sql: `(SELECT post.rank AS rank, (${tests.sql}) AS hit FROM post
           WHERE post.rank > ? AND ${times.sql} ORDER BY post.rank LIMIT ?) AS post`,
    values: [...tests.values, place, ...times.values, turn],
    matches: { sql: 'post.hit', values: [] },
  };
}

/** What an index holds together. */
function atOnce(clauses: Clause[]): Rows {
  const index = toldIndex(clauses);
  const source = byTime(clauses);
  const where = allOf(conditionsOf(source));
  return {
    rank: 'post.rank',
    sql: `${index ? `post INDEXED BY ${index}` : source.from} WHERE ${where.sql}`,
    values: where.values,
    matches: null,
  };
}

/** Of the last of these ranks that is not greater, its sign: halved until one is left, for there may be hundreds. */
function markOf(rank: string, ranks: readonly bigint[]): Condition {
  const values: Value[] = [];
  const write = (first: number, end: number): string => {
    if (end - first === 1) return `'${signOf(first)}'`;
    const middle = (first + end) >> 1;
    values.push(ranks[middle] as bigint);
    return `CASE WHEN ${rank} < ? THEN ${write(first, middle)} ELSE ${write(middle, end)} END`;
  };
  return { sql: write(0, ranks.length), values };
}

/** A sign for each number, none of which SQL reads as anything else: to put signs in a row is cheaper than to group rows. */
function signOf(number: number): string {
  const code = number + FIRST_SIGN;
  return String.fromCodePoint(code < SURROGATES ? code : code + SURROGATES_COUNT);
}

function countMarks(marks: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const sign of marks) {
    const code = sign.codePointAt(0) as number;
    const number = (code < SURROGATES ? code : code - SURROGATES_COUNT) - FIRST_SIGN;
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}

/** What comes to nothing is not held. */
export function add(counts: Counts, start: number, posts: number): void {
  const sum = (counts.get(start) ?? 0) + posts;
  if (sum === 0) counts.delete(start);
  else counts.set(start, sum);
}
