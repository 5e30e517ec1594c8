import type { ArchiveSort, SortField } from '@archive/contracts';
import type { ListQuestion } from '../archive-index.ts';
import type { Value } from '../index-file.ts';
import type { PostIndex } from '../post-table.ts';
import { toList } from './few-matches.ts';
import type { Clause, Condition } from './filters.ts';
import { allOf, asksFullText, beyondFullText, byTime, fastestSource, fullTextWhere, type Source } from './plan.ts';
import type { Statements } from './statements.ts';
import { compareBytes, orderTies, type Row } from './ties.ts';

/** Measured costs in microseconds, to choose between walking an order and sorting the matches. */
const COST = { walkIndex: 0.01, walkRow: 1, sortMatch: 0.5 };

export const KEYS: Record<SortField, string> = {
  timestamp: 'post.at',
  author: 'post.author_key',
  content: 'coalesce(post.content_key, post.content)',
  category: 'post.category',
};

const KEY_INDEXES: Record<SortField, PostIndex> = {
  timestamp: 'post_time',
  author: 'post_author',
  content: 'post_content',
  category: 'post_category',
};

type Slice = Pick<ListQuestion, 'sort' | 'offset' | 'limit'>;

interface Found {
  oid: Uint8Array;
}

export interface LeftOut {
  oid: Uint8Array;
  rank: bigint;
}

export function orderBy(sort: ArchiveSort): string {
  return `${KEYS[sort.sortBy]} ${sort.sortOrder}, post.oid`;
}

/** One page of these. */
export function pageOfFew(file: Statements, few: bigint[], slice: Slice, left: LeftOut | null): Uint8Array[] {
  const ranks = toList(few.filter((rank) => rank !== left?.rank));
  return ids(
    file.all<Found>(
      `SELECT oid FROM post WHERE rank IN (SELECT value FROM json_each(?))
       ORDER BY ${orderBy(slice.sort)} LIMIT ? OFFSET ?`,
      ranks,
      slice.limit,
      slice.offset,
    ),
  );
}

/** One page of the matches, of which there are `total`, without the post left out. */
export function findPage(
  file: Statements,
  clauses: Clause[],
  slice: Slice,
  total: number,
  left: LeftOut | null,
): Uint8Array[] {
  const { sort, offset, limit } = slice;
  if (offset >= total) return [];
  if (sort.sortBy === 'timestamp') {
    return asksFullText(clauses)
      ? pageOfMatches(file, clauses, slice, left)
      : pageOfWalk(file, byTime(clauses), slice, left);
  }
  const isCovered = clauses.every((clause) => clause.isCovered);
  const stepCost = isCovered ? COST.walkIndex : COST.walkRow;
  const walked = ((offset + limit) * countAll(file)) / total;
  const isWalked = clauses.length === 0 || walked * stepCost < total * COST.sortMatch;
  return isWalked
    ? pageOfWalk(file, byKey(clauses, sort.sortBy), slice, left)
    : pageSorted(file, fastestSource(clauses), slice, left);
}

function countAll(file: Statements): number {
  return file.all<{ n: number }>('SELECT coalesce(sum(posts), 0) AS n FROM category')[0]?.n ?? 0;
}

/** Every post in the order of a key, each tested on the way. */
export function byKey(clauses: Clause[], sortBy: SortField): Source {
  return {
    from: `post INDEXED BY ${KEY_INDEXES[sortBy]}`,
    where: clauses.map((clause) => clause.test('post.rank')),
  };
}

/** Collects the matches and sorts them: best where they are few. */
function pageSorted(file: Statements, { from, where }: Source, slice: Slice, left: LeftOut | null): Uint8Array[] {
  const condition = allOf([...where, ...without(left)]);
  return ids(
    file.all<Found>(
      `SELECT post.oid FROM ${from} WHERE ${condition.sql} ORDER BY ${orderBy(slice.sort)} LIMIT ? OFFSET ?`,
      ...condition.values,
      slice.limit,
      slice.offset,
    ),
  );
}

/** Newest or oldest matches straight off the posting lists, which end in time order. */
export function pageOfMatches(file: Statements, clauses: Clause[], slice: Slice, left: LeftOut | null): Uint8Array[] {
  const order = slice.sort.sortOrder;
  const where = [
    ...fullTextWhere(clauses),
    ...(left ? [{ sql: 'search.rowid <> ?', values: [left.rank] }] : []),
    ...testedInPost(beyondFullText(clauses)),
  ];
  const condition = allOf(where);
  const rows = file.allBig<{ rank: bigint; oid: Uint8Array; key: bigint }>(
    `SELECT post.rank AS rank, post.oid AS oid, post.at AS key FROM
         (SELECT search.rowid AS r FROM search WHERE ${condition.sql} ORDER BY search.rowid ${order} LIMIT ? OFFSET ?)
       CROSS JOIN post ON post.rank = r`,
    ...condition.values,
    slice.limit,
    slice.offset,
  );
  const groupRows = (key: Value) => {
    const [first, after] = [key as bigint, (key as bigint) + 1n].map((time) => file.rankFrom(time)) as [bigint, bigint];
    const within = { sql: 'search.rowid >= ? AND search.rowid < ?', values: [first, after] };
    const group = allOf([...where, within]);
    return file.allBig<{ oid: Uint8Array; rank: bigint }>(
      `SELECT post.oid AS oid, post.rank AS rank FROM search CROSS JOIN post ON post.rank = search.rowid WHERE ${group.sql}`,
      ...group.values,
    );
  };
  return orderTies(rows, {
    isAlone: (key) => isAlone(file, key as bigint),
    before: ({ key, rank }) =>
      groupRows(key).filter((row) => (order === 'desc' ? row.rank > rank : row.rank < rank)).length,
    slice: (key, skip, take) =>
      ids(groupRows(key))
        .sort(compareBytes)
        .slice(skip, skip + take),
  });
}

function testedInPost(tests: Condition[]): Condition[] {
  if (tests.length === 0) return [];
  const { sql, values } = allOf(tests);
  return [{ sql: `EXISTS (SELECT 1 FROM post WHERE post.rank = search.rowid AND ${sql})`, values }];
}

/** Whether at most one post of the archive has this millisecond: then there are no ties to order. */
function isAlone(file: Statements, millisecond: bigint): boolean {
  return file.all('SELECT 1 FROM post WHERE at = ? LIMIT 2', millisecond).length < 2;
}

/** Walks an order in which posts of equal key stand by `_id` in the same direction, which downward is the wrong one. */
export function pageOfWalk(file: Statements, source: Source, slice: Slice, left: LeftOut | null): Uint8Array[] {
  const { from } = source;
  const { sortBy, sortOrder } = slice.sort;
  const key = KEYS[sortBy];
  const where = [...source.where, ...without(left)];
  const condition = allOf(where);
  const rows = file.all<Row>(
    `SELECT post.oid AS oid, ${key} AS key FROM ${from} WHERE ${condition.sql}
     ORDER BY ${key} ${sortOrder}, post.oid ${sortOrder} LIMIT ? OFFSET ?`,
    ...condition.values,
    slice.limit,
    slice.offset,
  );
  if (sortOrder === 'asc') return ids(rows);
  const inGroup = (value: Value) => allOf([...where, { sql: `${key} = ?`, values: [value] }]);
  return orderTies(rows, {
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
        file.all<Found>(
          `SELECT post.oid AS oid FROM ${from} WHERE ${group.sql} ORDER BY post.oid LIMIT ? OFFSET ?`,
          ...group.values,
          take,
          skip,
        ),
      );
    },
  });
}

function without(left: LeftOut | null): Condition[] {
  return left ? [{ sql: 'post.oid <> ?', values: [left.oid] }] : [];
}

function ids(rows: Found[]): Uint8Array[] {
  return rows.map((row) => row.oid);
}
