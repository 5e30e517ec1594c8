import { type Bucket, bucketOver, bucketStart, firstDayOf, monthOf, nextBucket } from '@archive/contracts';
import { unpackMonths } from '../month-counts.ts';
import { EVERY_POST } from '../pieces.ts';
import type { Clause } from './clause.ts';
import { countStretches, daysWithPosts } from './day-ranges.ts';
import { keptCounts, keptPeriods, wholeMonths } from './kept-counts.ts';
import { allOf } from './plan.ts';
import { add, type Count, type Counts, type Part } from './rank-buckets.ts';
import type { Statements } from './statements.ts';

/** What is told over time by counts that are kept as posts come and go. */
export class KeptTimes {
  readonly #file: Statements;

  constructor(file: Statements) {
    this.#file = file;
  }

  /** Null where these counts do not tell it. With `byWeeks`, days may be put together into weeks where these are asked. */
  counting(clauses: Clause[], { byWeeks }: { byWeeks: boolean }): Count | null {
    const table = keptCounts(clauses);
    if (!table || table === 'piece') return null;
    const kinds = clauses.filter(({ isTime }) => !isTime);
    return (part, counts) => {
      if (kinds.length === 0) this.#countAll(part, counts);
      else if (part.grain === 'month') this.#countMonths(kinds, part, counts);
      else if (byWeeks && bucketOfDays(part.from, part.to - 1) === 'week') this.#countWeeks(kinds, part, counts);
      else this.#countDays(kinds, part, counts);
      return null;
    };
  }

  /** The months of these pieces, of which no post holds two. */
  monthsOf(pieces: string[], counts: Counts, first = -Infinity, end = Infinity): void {
    const rows = this.#file.all<{ months: Uint8Array }>(
      'SELECT months FROM piece WHERE text IN (SELECT value FROM json_each(?))',
      JSON.stringify(pieces),
    );
    for (const { months } of rows) {
      for (const [month, posts] of unpackMonths(months)) {
        if (month >= first && month < end) add(counts, firstDayOf(month), posts);
      }
    }
  }

  #countAll({ grain, from, to }: Part, counts: Counts): void {
    const { first, end } = wholeMonths(from, to);
    if (grain === 'day' || first >= end) {
      this.#countAllDays({ grain, from, to }, counts);
      return;
    }
    this.#countAllDays({ grain, from, to: firstDayOf(first) }, counts);
    this.monthsOf([EVERY_POST], counts, first, end);
    this.#countAllDays({ grain, from: firstDayOf(end), to }, counts);
  }

  #countAllDays({ grain, from, to }: Part, counts: Counts): void {
    if (from >= to) return;
    const [row] = this.#file.all<{ days: string }>(
      `SELECT json_group_array(json_array(day, posts)) AS days FROM day WHERE posts > 0 AND day >= ? AND day < ?`,
      from,
      to,
    );
    const days: [day: number, posts: number][] = JSON.parse(row?.days ?? '[]');
    for (const [day, posts] of days) add(counts, bucketStart(grain, day), posts);
  }

  #countMonths(kinds: Clause[], { grain, from, to }: Part, counts: Counts): void {
    const { first, end } = wholeMonths(from, to);
    if (first >= end) {
      this.#countDays(kinds, { grain, from, to }, counts);
      return;
    }
    this.#countDays(kinds, { grain, from, to: firstDayOf(first) }, counts);
    const pieces = kinds.length === 1 ? kinds[0]?.counted?.pieces : undefined;
    if (pieces) this.monthsOf(pieces, counts, first, end);
    else {
      for (const [month, posts] of this.#periods(kinds, 'month', first, end)) add(counts, firstDayOf(month), posts);
    }
    this.#countDays(kinds, { grain, from: firstDayOf(end), to }, counts);
  }

  /** The first and the last one are told by days: from which to which month posts match decides what they are counted by. */
  #countWeeks(kinds: Clause[], { grain, from, to }: Part, counts: Counts): void {
    const first = bucketStart('week', from) < from ? nextBucket('week', bucketStart('week', from)) : from;
    const end = bucketStart('week', to);
    const weeks = this.#periods(kinds, 'week', first, end);
    const days = (since: number, until: number) => this.#countDays(kinds, { grain, from: since, to: until }, counts);
    const ends = [weeks[0], weeks.at(-1)].flatMap((week) => week?.[0] ?? []);
    for (const [monday, posts] of weeks) if (!ends.includes(monday)) add(counts, monday, posts);
    for (const monday of new Set(ends)) days(monday, nextBucket('week', monday));
    days(from, first);
    days(end, to);
    if (counts.size === 0) return;
    const [earliest, latest] = endsOf(counts);
    if (bucketOfDays(earliest, latest) !== 'day') return;
    counts.clear();
    days(earliest, latest + 1);
  }

  #countDays(kinds: Clause[], { grain, from, to }: Part, counts: Counts): void {
    if (from >= to) return;
    const days = daysWithPosts(this.#file, from, to);
    const posts = countStretches(this.#file, kinds, days, to);
    for (const [index, day] of days.entries()) {
      if (posts[index]) add(counts, bucketStart(grain, day), posts[index]);
    }
  }

  /** In order. */
  #periods(kinds: Clause[], table: 'week' | 'month', first: number, end: number): [start: number, posts: number][] {
    const column = table === 'week' ? 'monday' : 'month';
    const { sql, values } = allOf(keptPeriods(kinds, column, first, end));
    const rows = this.#file.all<{ start: number; posts: number }>(
      `SELECT ${column} AS start, sum(posts) AS posts FROM ${table} WHERE ${sql} GROUP BY ${column} ORDER BY ${column}`,
      ...values,
    );
    return rows.map(({ start, posts }) => [start, posts]);
  }
}

/** What posts are counted by that lie from one day to another. */
export function bucketOfDays(first: number, last: number): Bucket {
  return bucketOver(monthOf(last) - monthOf(first) + 1);
}

/** The first and the last start of what is counted; it is something. */
export function endsOf(counts: Counts): [first: number, last: number] {
  const starts = [...counts.keys()];
  return [Math.min(...starts), Math.max(...starts)];
}
