import { DAY_MS } from '../schema.ts';
import type { Clause } from './clause.ts';
import { allOf, byTime, conditionsOf } from './plan.ts';
import type { Statements } from './statements.ts';

/** The days since 1970 with posts of the archive, of those from one on and before another. */
export function daysWithPosts(file: Statements, from: number, to: number): number[] {
  const [row] = file.all<{ days: string }>(
    `SELECT json_group_array(day) AS days FROM (SELECT day FROM day WHERE posts > 0 AND day >= ? AND day < ? ORDER BY day)`,
    from,
    to,
  );
  return JSON.parse(row?.days ?? '[]');
}

/**
 * How many posts match from each of these days to the next, and from the last to `end`. By an index in the order of time,
 * a stretch after the other, so that nothing has to be sorted; of the clauses none bounds the time.
 */
export function countStretches(file: Statements, clauses: Clause[], starts: number[], end: number): number[] {
  if (starts.length === 0) return [];
  const isWithin: Clause = {
    test: () => ({ sql: 'post.at >= stretch.since AND post.at < stretch.until', values: [] }),
    isTime: true,
    isCovered: true,
  };
  const source = byTime([...clauses, isWithin]);
  const { sql, values } = allOf(conditionsOf(source));
  const rows = file.all<{ posts: number }>(
    `SELECT (SELECT count(*) FROM ${source.from} WHERE ${sql}) AS posts
     FROM (SELECT key, value AS since, lead(value, 1, ?) OVER (ORDER BY key) AS until FROM json_each(?)) AS stretch
     ORDER BY key`,
    ...values,
    end * DAY_MS,
    JSON.stringify(starts.map((day) => day * DAY_MS)),
  );
  return rows.map(({ posts }) => posts);
}

/** When each of the posts that match was written, in milliseconds since 1970; null where they are more than so many. */
export function fewTimes(file: Statements, clauses: Clause[], most: number): number[] | null {
  const source = byTime(clauses);
  const { sql, values } = allOf(conditionsOf(source));
  const [row] = file.all<{ times: string }>(
    `SELECT json_group_array(at) AS times FROM (SELECT post.at AS at FROM ${source.from} WHERE ${sql} LIMIT ?)`,
    ...values,
    most + 1,
  );
  const times: number[] = JSON.parse(row?.times ?? '[]');
  return times.length > most ? null : times;
}
