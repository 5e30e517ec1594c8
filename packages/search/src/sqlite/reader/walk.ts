import type { ArchiveSort, SortField } from '@archive/contracts';
import type { Value } from '../index-file.ts';
import { contentOrder } from '../post-table.ts';
import type { Clause, Condition } from './clause.ts';
import { allOf, beyondFullText, fullTextWhere, type Source } from './plan.ts';
import type { Statements } from './statements.ts';
import { compareBytes, orderTies, type Row } from './ties.ts';

/** Rows per turn, about 10 ms: in the order of time, and in the order of another key. */
export const TURN = { byTime: 40_000, byKey: 10_000 };

export const KEYS: Record<SortField, string> = {
  timestamp: 'post.at',
  author: 'post.author_key',
  content: contentOrder('post.'),
  category: 'post.category',
  saved: 'post.saved_at',
  reactions: 'post.reactions',
};

/** The position of the last row passed: the values that order the walk. */
export type Cursor = Value[];

export interface Passed {
  matches: number;
  /** Null at the end of the walk. */
  place: Cursor | null;
}

/** A match with the values that order it. */
export type Met = Row & { rank?: bigint };

/** A walk through all matches in an order. */
export interface Walk {
  /** Identifies the walk: a cursor is valid only for the walk that made it. */
  name: string;
  /** Rows per turn. */
  turn: number;
  /** Whether a row costs so little that the walk needs no turns. */
  isQuick: boolean;
  /** Whether every row passed is a match. */
  isPure: boolean;
  /** Passes the rows of one turn. */
  pass(after: Cursor | null): Passed;
  /** Matches after a cursor; if `isBounded`, only those within the rows of one turn. */
  meet(after: Cursor | null, offset: number, limit: number, isBounded: boolean): Met[];
  /** Ids of consecutive matches; posts of equal key are ordered by id. */
  order(met: Met[]): Uint8Array[];
}

/** A page, reached from the start of the walk in one turn, however far that is. */
export function pageOf(walk: Walk, offset: number, limit: number): Uint8Array[] {
  return walk.order(walk.meet(null, offset, limit, false));
}

/** A post that the page leaves out. */
export interface LeftOut {
  oid: Uint8Array;
  rank: bigint;
}

/** Matches in order of time, directly from the posting lists: their rowids are ranks. */
export function walkMatches(
  file: Statements,
  clauses: Clause[],
  order: ArchiveSort['sortOrder'],
  left: LeftOut | null = null,
  turn = TURN.byTime,
): Walk {
  const where = [...fullTextWhere(clauses), ...(left ? [{ sql: 'search.rowid <> ?', values: [left.rank] }] : [])];
  const tests = testedInPost(beyondFullText(clauses));
  const [beyond, last] = order === 'asc' ? ['>', 'max'] : ['<', 'min'];
  const from = (place: Cursor | null) =>
    place ? [...passed(where, 'search.rowid', order), { sql: `search.rowid ${beyond} ?`, values: place }] : where;
  return {
    name: `matches ${order}`,
    turn,
    isQuick: false,
    isPure: tests.length === 0,
    pass(place) {
      const condition = allOf(from(place));
      const hit = allOf(tests);
      const matches = tests.length === 0 ? 'count(*)' : `coalesce(sum(${hit.sql}), 0)`;
      const [counted] = file.allBig<{ rows: bigint; matches: bigint; last: bigint }>(
        `SELECT count(*) AS rows, ${matches} AS matches, ${last}(rowid) AS last FROM (
           SELECT search.rowid FROM search WHERE ${condition.sql} ORDER BY search.rowid ${order} LIMIT ?) AS search`,
        ...hit.values,
        ...condition.values,
        turn,
      ) as [{ rows: bigint; matches: bigint; last: bigint }];
      return { matches: Number(counted.matches), place: counted.rows < turn ? null : [counted.last] };
    },
    meet(place, offset, limit, isBounded) {
      // If every row matches, LIMIT alone bounds the rows passed.
      const [condition, hit] =
        isBounded && tests.length > 0 ? [allOf(from(place)), allOf(tests)] : [allOf([...from(place), ...tests]), null];
      const rows = hit
        ? `SELECT search.rowid AS r FROM (
             SELECT search.rowid FROM search WHERE ${condition.sql} ORDER BY search.rowid ${order} LIMIT ${turn}
           ) AS search WHERE ${hit.sql}`
        : `SELECT search.rowid AS r FROM search WHERE ${condition.sql} ORDER BY search.rowid ${order}`;
      return file.allBig<Met>(
        `SELECT post.rank AS rank, post.oid AS oid, post.at AS key FROM (${rows} LIMIT ? OFFSET ?)
         CROSS JOIN post ON post.rank = r`,
        ...condition.values,
        ...(hit?.values ?? []),
        limit,
        offset,
      );
    },
    order(met) {
      const groupRows = (key: Value) => {
        const [first, end] = [key as bigint, (key as bigint) + 1n].map((time) => file.rankFrom(time)) as [
          bigint,
          bigint,
        ];
        const group = allOf([
          ...where,
          ...tests,
          { sql: 'search.rowid >= ? AND search.rowid < ?', values: [first, end] },
        ]);
        return file.allBig<{ oid: Uint8Array; rank: bigint }>(
          `SELECT post.oid AS oid, post.rank AS rank FROM search CROSS JOIN post ON post.rank = search.rowid WHERE ${group.sql}`,
          ...group.values,
        );
      };
      return orderTies(met, {
        isAlone: (key) => isAlone(file, key as bigint),
        before: ({ key, rank }) =>
          groupRows(key).filter((row) => (order === 'desc' ? row.rank > (rank as bigint) : row.rank < (rank as bigint)))
            .length,
        slice: (key, skip, take) =>
          ids(groupRows(key))
            .sort(compareBytes)
            .slice(skip, skip + take),
      });
    },
  };
}

/**
 * Conditions of a walk that continues from a cursor. Of two lower bounds (upper bounds if descending), SQLite starts at
 * the first. So the bounds that the walk has passed become mere tests (`+`), and the walk starts at the cursor.
 */
export function passed(conditions: readonly Condition[], column: string, order: ArchiveSort['sortOrder']): Condition[] {
  const bound = `${column} ${order === 'asc' ? '>' : '<'}`;
  return conditions.map(({ sql, values }) => ({ sql: sql.replace(bound, `+${bound}`), values }));
}

export function testedInPost(tests: Condition[]): Condition[] {
  if (tests.length === 0) return [];
  const { sql, values } = allOf(tests);
  return [{ sql: `EXISTS (SELECT 1 FROM post WHERE post.rank = search.rowid AND ${sql})`, values }];
}

/** Whether at most one post of the archive has this millisecond, so that there are no ties to order. */
function isAlone(file: Statements, millisecond: bigint): boolean {
  return file.all('SELECT 1 FROM post WHERE at = ? LIMIT 2', millisecond).length < 2;
}

/**
 * Walks the index of a key. In a descending walk, posts of equal key come by descending `_id`; `order` corrects that.
 */
export function walkOrder(
  file: Statements,
  { from, where, tests }: Source,
  { sortBy, sortOrder }: ArchiveSort,
  left: LeftOut | null = null,
  turn = sortBy === 'timestamp' ? TURN.byTime : TURN.byKey,
): Walk {
  const key = KEYS[sortBy];
  const told = [...where, ...(left ? [{ sql: 'post.oid <> ?', values: [left.oid] }] : [])];
  const order = `${key} ${sortOrder}, post.oid ${sortOrder}`;
  const beyond = sortOrder === 'asc' ? '>' : '<';
  // The bound is stated twice, because SQLite finds no start in the index for a row value that begins with an
  // expression.
  const toldFrom = (place: Cursor | null) => {
    if (!place) return told;
    const [first, oid] = place as [Value, Value];
    const after = { sql: `${key} ${beyond}= ? AND (${key}, post.oid) ${beyond} (?, ?)`, values: [first, first, oid] };
    return [...passed(told, key, sortOrder), after];
  };
  const all = [...told, ...tests];
  return {
    name: `${from} ${order}`,
    turn,
    isQuick: tests.length === 0,
    isPure: false,
    pass(place) {
      const condition = allOf(toldFrom(place));
      const hit = allOf(tests);
      const [counted] = file.all<{ matches: number }>(
        `SELECT coalesce(sum(hit), 0) AS matches FROM (
           SELECT (${hit.sql}) AS hit FROM ${from} WHERE ${condition.sql} ORDER BY ${order} LIMIT ?)`,
        ...hit.values,
        ...condition.values,
        turn,
      ) as [{ matches: number }];
      const [last] = file.all<Row>(
        `SELECT post.oid AS oid, ${key} AS key FROM ${from} WHERE ${condition.sql} ORDER BY ${order} LIMIT 1 OFFSET ?`,
        ...condition.values,
        turn - 1,
      );
      return { matches: counted.matches, place: last ? [last.key, last.oid] : null };
    },
    meet(place, offset, limit, isBounded) {
      if (!isBounded) {
        const condition = allOf([...toldFrom(place), ...tests]);
        return file.all<Met>(
          `SELECT post.oid AS oid, ${key} AS key FROM ${from} WHERE ${condition.sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
          ...condition.values,
          limit,
          offset,
        );
      }
      const condition = allOf(toldFrom(place));
      const hit = allOf(tests);
      return file.all<Met>(
        `SELECT oid, key FROM (
           SELECT post.oid AS oid, ${key} AS key, (${hit.sql}) AS hit FROM ${from}
           WHERE ${condition.sql} ORDER BY ${order} LIMIT ?) WHERE hit LIMIT ? OFFSET ?`,
        ...hit.values,
        ...condition.values,
        turn,
        limit,
        offset,
      );
    },
    order(met) {
      if (sortOrder === 'asc') return ids(met);
      const inGroup = (value: Value) => allOf([...all, { sql: `${key} = ?`, values: [value] }]);
      return orderTies(met, {
        isAlone: () => false,
        before: (row) => {
          const group = inGroup(row.key);
          const [counted] = file.all<{ n: number }>(
            `SELECT count(*) AS n FROM ${from} WHERE ${group.sql} AND post.oid > ?`,
            ...group.values,
            row.oid,
          );
          return counted?.n ?? 0;
        },
        slice: (value, skip, take) => {
          const group = inGroup(value);
          return ids(
            file.all(
              `SELECT post.oid AS oid FROM ${from} WHERE ${group.sql} ORDER BY post.oid LIMIT ? OFFSET ?`,
              ...group.values,
              take,
              skip,
            ),
          );
        },
      });
    },
  };
}

function ids(rows: { oid: Uint8Array }[]): Uint8Array[] {
  return rows.map((row) => row.oid);
}
