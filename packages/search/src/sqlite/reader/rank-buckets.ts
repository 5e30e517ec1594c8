import { bucketStart } from '@archive/contracts';
import type { Value } from '../index-file.ts';
import type { PostIndex } from '../post-table.ts';
import { DAY_MS } from '../schema.ts';
import type { Clause, Condition } from './clause.ts';
import { countStretches, daysWithPosts, fewTimes } from './day-ranges.ts';
import { allOf, beyondFullText, byTime, conditionsOf, fullTextWhere } from './plan.ts';
import type { Statements } from './statements.ts';
import { BEFORE_ALL_RANKS, isReadWhole, toldIndex, walksFullText } from './total.ts';
import { type Place, testedInPost } from './walk.ts';

/** So many matches of one day or month are counted sooner by themselves than by a sign for each. */
const MANY = 120;
/** The same where an index holds them in the order of time, and the time of each is told. */
const FEW_IN_ORDER = 4;
/** Of more words than these, each is looked for anew in every day or month: a sign for each match is cheaper. */
const FEW_WORDS = 8;
const FIRST_SIGN = '0'.charCodeAt(0);
const IN_ORDER_OF_TIME = new Set<PostIndex>(['post_time', 'post_category_time', 'post_handle']);
/** Of so many stretches of time. */
const KEPT_EDGES = 50;
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
  readonly #kept = new Map<string, Edges>();

  constructor(file: Statements, turn: number) {
    this.#file = file;
    this.#turn = turn;
  }

  counting(clauses: Clause[]): Count {
    const isWalked = walksFullText(this.#file, clauses);
    const isTurned = isWalked || isReadWhole(clauses);
    const isSkipped = isWalked && isToldByRanges(clauses);
    return (part, counts, after) => {
      const { starts, ranks } = this.#edgesOf(part);
      if (starts.length === 0) return null;
      if (!isTurned && isInOrderOfTime(clauses)) {
        this.#countInOrder(clauses, part, counts, starts);
        return null;
      }
      const [passed, isMany] = after ?? [];
      if (isSkipped && isMany === 1) return this.#skip(clauses, part, counts, passed as bigint);
      const turn = isSkipped ? Math.min(this.#turn, MANY * starts.length) : this.#turn;
      const asked = [...clauses, this.#within(part)];
      const place = passed ?? BEFORE_ALL_RANKS;
      const rows = !isTurned ? atOnce(asked) : isWalked ? ofText(asked, place, turn) : ofPosts(asked, place, turn);
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
      if (!isTurned || told?.last == null || Number(told.rows) < turn) return null;
      return isSkipped ? this.#skip(clauses, part, counts, told.last) : [told.last];
    };
  }

  /** Few by the time of each, many from one day or month to the next. */
  #countInOrder(clauses: Clause[], part: Part, counts: Counts, starts: number[]): void {
    const few = FEW_IN_ORDER * starts.length;
    const times = fewTimes(this.#file, clauses, few);
    for (const time of times ?? []) {
      const day = Math.floor(time / DAY_MS);
      if (day >= part.from && day < part.to) add(counts, bucketStart(part.grain, day), 1);
    }
    if (times) return;
    const untimed = clauses.filter(({ isTime }) => !isTime);
    const from = starts.map((start) => Math.max(start, part.from));
    const posts = countStretches(this.#file, untimed, from, part.to);
    for (const [number, start] of starts.entries()) if (posts[number]) add(counts, start, posts[number]);
  }

  /** What the full text holds after a rank, from one day or month to the next. */
  #skip(clauses: Clause[], part: Part, counts: Counts, after: bigint): Place | null {
    const { starts, ranks } = this.#edgesOf(part);
    const end = this.#file.rankFrom(part.to * DAY_MS);
    const where = allOf(fullTextWhere(clauses.filter(({ isTime }) => !isTime)));
    const sql = `SELECT count(*) AS posts FROM search WHERE ${where.sql} AND rowid > ? AND rowid < ?`;
    let last = after;
    let passed = 0;
    for (const [number, start] of starts.entries()) {
      const next = ranks[number + 1] ?? end;
      if (next <= last + 1n) continue;
      if (passed >= this.#turn) return [last, 1];
      const [row] = this.#file.all<{ posts: number }>(sql, ...where.values, last, next);
      const posts = row?.posts ?? 0;
      if (posts > 0) add(counts, start, posts);
      passed += posts;
      last = next - 1n;
    }
    return null;
  }

  /** Days and months without a post of the archive are none. */
  #edgesOf({ grain, from, to }: Part): Edges {
    // Another connection's changes are seen from the first question of a moment on.
    const [version] = this.#file.all('PRAGMA data_version');
    const name = JSON.stringify([version, grain, from, to]);
    const kept = this.#kept.get(name);
    if (kept) return kept;
    const starts = [...new Set(daysWithPosts(this.#file, from, to).map((day) => bucketStart(grain, day)))];
    const edges = { starts, ranks: this.#file.ranksFrom(starts.map((start) => start * DAY_MS)) };
    if (this.#kept.size >= KEPT_EDGES) this.#kept.clear();
    this.#kept.set(name, edges);
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

/** Whether an index is walked that holds what matches in the order of time. */
function isInOrderOfTime(clauses: Clause[]): boolean {
  const index = toldIndex(clauses) ?? byTime(clauses).index;
  return index !== undefined && IN_ORDER_OF_TIME.has(index) && clauses.every(isRange);
}

/** Not a time that is bounded in any other way than by its first and last day. */
function isRange({ isTime, since, until }: Clause): boolean {
  return !isTime || since !== undefined || until !== undefined;
}

/** Whether the full text and two ranks tell all. */
function isToldByRanges(clauses: Clause[]): boolean {
  const words = clauses.flatMap(({ match, except }) => [match, except].flatMap((asked) => asked?.split(' OR ') ?? []));
  return beyondFullText(clauses).length === 0 && clauses.every(isRange) && words.length <= FEW_WORDS;
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
