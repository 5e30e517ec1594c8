import type { ArchiveSort, SortField } from '@archive/contracts';
import type { ListQuestion } from '../archive-index.ts';
import type { PostIndex } from '../post-table.ts';
import { toList } from './few-matches.ts';
import type { Clause } from './filters.ts';
import { allOf, asksFullText, byTime, conditionsOf, fastestSource, isFullTextAlone, type Source } from './plan.ts';
import type { Statements } from './statements.ts';
import { KEYS, type LeftOut, type MatchWalk, type Place, type Walk, walkMatches, walkOrder } from './walk.ts';

/** Measured costs in microseconds, to choose between walking an order and sorting the matches. */
const COST = { walkIndex: 0.01, walkRow: 1, sortMatch: 0.5 };
/** So many matches are sorted at once; more would keep everybody else waiting. */
export const SORTED = 20_000;

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

/** How far the walk to a page has come. */
export interface Progress {
  matches: number;
  place: Place | null;
  /** Matches that are to be sorted. */
  ranks: bigint[];
}

export function orderBy(sort: ArchiveSort): string {
  return `${KEYS[sort.sortBy]} ${sort.sortOrder}, post.oid`;
}

/** One page of these. */
export function pageOfFew(file: Statements, few: bigint[], slice: Slice, left: LeftOut | null): Uint8Array[] {
  const ranks = toList(few.filter((rank) => rank !== left?.rank));
  return file
    .all<Found>(
      `SELECT oid FROM post WHERE rank IN (SELECT value FROM json_each(?))
       ORDER BY ${orderBy(slice.sort)} LIMIT ? OFFSET ?`,
      ranks,
      slice.limit,
      slice.offset,
    )
    .map(({ oid }) => oid);
}

/**
 * One page of the matches, of which there are `total`, without the post left out. Null where a turn has brought
 * `progress` nearer to it: the same question goes on from there.
 */
export function findPage(
  file: Statements,
  clauses: Clause[],
  slice: Slice,
  {
    total,
    left,
    progress,
    turn,
  }: { total: number; left: LeftOut | null; progress: Progress; turn: number | undefined },
): Uint8Array[] | null {
  const { sort, offset } = slice;
  const limit = Math.min(slice.limit, total - (left ? 1 : 0) - offset);
  if (limit <= 0) return [];
  const density = total / Math.max(1, countAll(file));
  if (total <= Math.min(SORTED, turn ?? SORTED) && isSorted(clauses, sort, total, (offset + limit) / density)) {
    if (!asksFullText(clauses) || isFullTextAlone(clauses)) {
      return pageSorted(file, fastestSource(clauses), { sort, offset, limit }, left);
    }
    return pageOfCollected(file, walkMatches(file, clauses, 'desc', left, turn), { sort, offset, limit }, progress);
  }
  const walk = chooseWalk(file, clauses, sort, left, turn);
  const ahead = (offset + limit) / (walk.isPure ? 1 : density);
  if (walk.isQuick || ahead <= walk.turn) return walk.page(null, offset, limit);
  const { matches, place } = walk.pass(progress.place);
  if (!place || progress.matches + matches > offset) {
    return walk.page(progress.place, offset - progress.matches, limit);
  }
  progress.matches += matches;
  progress.place = place;
  return null;
}

/** Where many rows may hold few matches: these are found turn by turn, and sorted then. */
function pageOfCollected(file: Statements, walk: MatchWalk, slice: Slice, progress: Progress): Uint8Array[] | null {
  progress.ranks.push(...walk.ranks(progress.place));
  progress.place = walk.pass(progress.place).place;
  return progress.place ? null : pageOfFew(file, progress.ranks, slice, null);
}

/** Whether sorting what is found is faster than passing so many rows on the way. */
function isSorted(clauses: Clause[], sort: ArchiveSort, total: number, walked: number): boolean {
  if (sort.sortBy === 'timestamp') return false;
  if (!asksFullText(clauses) && !clauses.some(({ isFew }) => isFew)) return false;
  return walked * COST.walkRow >= total * COST.sortMatch;
}

function chooseWalk(file: Statements, clauses: Clause[], sort: ArchiveSort, left: LeftOut | null, turn?: number): Walk {
  if (sort.sortBy !== 'timestamp') return walkOrder(file, byKey(clauses, sort.sortBy), sort, left, turn);
  return asksFullText(clauses)
    ? walkMatches(file, clauses, sort.sortOrder, left, turn)
    : walkOrder(file, byTime(clauses), sort, left, turn);
}

function countAll(file: Statements): number {
  return file.all<{ n: number }>('SELECT coalesce(sum(posts), 0) AS n FROM category')[0]?.n ?? 0;
}

/** Every post in the order of a key, each tested on the way. */
export function byKey(clauses: Clause[], sortBy: SortField): Source {
  const test = (some: Clause[]) => some.map((clause) => clause.test('post.rank'));
  return {
    from: `post INDEXED BY ${KEY_INDEXES[sortBy]}`,
    where: test(clauses.filter(({ isCovered }) => isCovered)),
    tests: test(clauses.filter(({ isCovered }) => !isCovered)),
  };
}

/** Collects the matches and sorts them: best where they are few. */
function pageSorted(file: Statements, source: Source, slice: Slice, left: LeftOut | null): Uint8Array[] {
  const without = left ? [{ sql: 'post.oid <> ?', values: [left.oid] }] : [];
  const condition = allOf([...conditionsOf(source), ...without]);
  return file
    .all<Found>(
      `SELECT post.oid FROM ${source.from} WHERE ${condition.sql} ORDER BY ${orderBy(slice.sort)} LIMIT ? OFFSET ?`,
      ...condition.values,
      slice.limit,
      slice.offset,
    )
    .map(({ oid }) => oid);
}
