import { type Bucket, bucketStart, firstDayOf, monthOf, nextBucket } from '@archive/contracts';
import type { TimelineAnswer } from '../../archive-index.ts';
import { bucketOfDays, DAY_MS, inBuckets, type OverTime } from '../../figures.ts';
import type { Question } from '../../question.ts';
import type { Clause } from './clause.ts';
import { bound } from './compile.ts';
import { allOf, fullTextWhere, isFullTextAlone, type Plan } from './plan.ts';
import type { Statements } from './statements.ts';
import type { Steps } from './steps.ts';
import { KEPT_TOTALS, type ToCount, type Totals } from './total.ts';

/** Up to this number, matches of the full text alone are grouped by day in one query: about 20 ms. */
const FEW = 20_000;

/** The first day of each bucket since 1970, in order, and its number of posts. */
type Counts = [day: number, posts: number][];

/** Counts matches over time: a total per bucket, kept until the archive changes. */
export class Timelines {
  readonly #file: Statements;
  readonly #totals: Totals;
  readonly #kept = new Map<string, TimelineAnswer>();
  #version = -1;

  constructor(file: Statements, totals: Totals) {
    this.#file = file;
    this.#totals = totals;
  }

  *of(question: readonly Question[], version: number, asked: ToCount): Steps<TimelineAnswer> {
    const startedAt = performance.now();
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    const key = JSON.stringify(question);
    const known = this.#kept.get(key);
    if (known) return { ...known, spent: 0 };
    const answer = { ...(yield* this.#count(question, version, asked)), spent: performance.now() - startedAt };
    // Meanwhile another question may have seen a newer version of the archive.
    if (version === this.#version) {
      if (this.#kept.size >= KEPT_TOTALS) this.#kept.clear();
      this.#kept.set(key, answer);
    }
    return answer;
  }

  *#count(question: readonly Question[], version: number, asked: ToCount): Steps<OverTime> {
    const { total } = yield* this.#totals.of(question, version, asked);
    if (!asked.plan || total === 0) return inBuckets([]);
    // A `told` index is in another order: each bucket would read all of it.
    const clauses = asked.resolve()?.map(({ told, ...clause }) => clause) ?? null;
    if (total <= FEW && clauses && isFullTextAlone(clauses)) return inBuckets(this.#days(clauses));
    const { from, to } = this.#within(asked.plan);
    const planned = { plan: asked.plan, clauses };
    const first = bucketOfDays(from, to - 1) === 'day' ? 'day' : 'month';
    const counts = yield* this.#periods(planned, first, from, to);
    const found = inBuckets(counts);
    const [earliest, latest] = [counts[0]?.[0], counts.at(-1)?.[0]];
    if (earliest === undefined || latest === undefined || found.bucket === first || found.bucket === 'year')
      return found;
    const end = Math.min(to, firstDayOf(monthOf(latest) + 1));
    const ends = [Math.max(from, earliest), end] as const;
    return inBuckets(yield* this.#periods(planned, found.bucket, ...ends), found.bucket);
  }

  /** The total of each bucket. */
  *#periods(
    { plan, clauses }: { plan: Clause[]; clauses: Plan },
    bucket: Bucket,
    from: number,
    to: number,
  ): Steps<Counts> {
    const counts: Counts = [];
    for (const start of new Set(this.#daysWithPosts(from, to).map((day) => bucketStart(bucket, day)))) {
      // The bucket's bounds precede the question's own dates: of two bounds, SQLite uses the first.
      const within = [
        bound('>=', Math.max(start, from) * DAY_MS, this.#file),
        bound('<', Math.min(nextBucket(bucket, start), to) * DAY_MS, this.#file),
      ];
      const posts = yield* this.#totals.count({
        plan: [...within, ...plan],
        resolve: () => clauses && [...within, ...clauses],
        newest: null,
      });
      if (posts > 0) counts.push([start, posts]);
      yield;
    }
    return counts;
  }

  /** The range of days that contains all matches; `to` is exclusive. */
  #within(plan: Clause[]): { from: number; to: number } {
    const [row] = this.#file.all<{ first: number | null; last: number | null }>(
      'SELECT min(day) AS first, max(day) AS last FROM day WHERE posts > 0',
    );
    const days = (times: (number | undefined)[]) => times.flatMap((time) => (time === undefined ? [] : time / DAY_MS));
    return {
      from: Math.max(row?.first ?? 0, ...days(plan.map(({ since }) => since))),
      to: Math.min((row?.last ?? -1) + 1, ...days(plan.map(({ until }) => until))),
    };
  }

  #daysWithPosts(from: number, to: number): number[] {
    const [row] = this.#file.all<{ days: string }>(
      'SELECT json_group_array(day) AS days FROM (SELECT day FROM day WHERE posts > 0 AND day >= ? AND day < ? ORDER BY day)',
      from,
      to,
    );
    return JSON.parse(row?.days ?? '[]');
  }

  #days(clauses: Clause[]): Counts {
    const { sql, values } = allOf(fullTextWhere(clauses));
    const rows = this.#file.all<{ day: number; posts: number }>(
      `SELECT (post.at - ((post.at % ${DAY_MS}) + ${DAY_MS}) % ${DAY_MS}) / ${DAY_MS} AS day, count(*) AS posts
       FROM search CROSS JOIN post ON post.rank = search.rowid WHERE ${sql} GROUP BY day`,
      ...values,
    );
    return rows.map(({ day, posts }) => [day, posts]);
  }
}
