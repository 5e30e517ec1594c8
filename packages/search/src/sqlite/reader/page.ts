import type { ArchiveSort, SortField } from '@archive/contracts';
import type { ListQuestion } from '../../archive-index.ts';
import type { PostIndex } from '../post-table.ts';
import { type Clause, type Condition, SORTED } from './clause.ts';
import { toList } from './few-matches.ts';
import { countAll } from './kept-counts.ts';
import { allOf, asksFullText, byTime, conditionsOf, fastestSource, isFullTextAlone, type Source } from './plan.ts';
import type { Statements } from './statements.ts';
import { type Cursor, KEYS, type LeftOut, type Met, pageOf, type Walk, walkMatches, walkOrder } from './walk.ts';

/**
 * Measured costs in microseconds, to choose between walking an order and sorting the matches. An index entry that
 * decides the question costs less than a row, and less than a match of the full text.
 */
const COST = { walkRow: 1, walkEntry: 0.03, sortMatch: 0.5, findMatch: 0.3 };
/** Up to this offset, a page of one author's posts is read in the order of saving. */
const AUTHOR_ROWS = 1_000;

export const KEY_INDEXES: Record<SortField, PostIndex> = {
  timestamp: 'post_time',
  author: 'post_author',
  content: 'post_content',
  category: 'post_category',
  saved: 'post_saved',
  reactions: 'post_reactions',
};

type Slice = Pick<ListQuestion, 'sort' | 'offset' | 'limit'>;

interface Found {
  oid: Uint8Array;
}

/** Progress of the walk to a page. */
export interface Way {
  /** Name of the walk. Another walk begins again. */
  name: string;
  /** Matches passed. */
  matches: number;
  place: Cursor | null;
  /** The page's posts so far; if the matches are to be sorted, all matches so far. */
  met: Met[];
}

export function orderBy(sort: ArchiveSort): string {
  return `${KEYS[sort.sortBy]} ${sort.sortOrder}, post.oid`;
}

/** One page of a few known matches. */
export function pageOfFew(
  file: Statements,
  few: bigint[],
  slice: Slice,
  left: LeftOut | null,
  tests: Condition[] = [],
): Uint8Array[] {
  const ranks = toList(few.filter((rank) => rank !== left?.rank));
  const still = allOf(tests);
  return file
    .all<Found>(
      `SELECT oid FROM post WHERE rank IN (SELECT value FROM json_each(?)) AND ${still.sql}
       ORDER BY ${orderBy(slice.sort)} LIMIT ? OFFSET ?`,
      ranks,
      ...still.values,
      slice.limit,
      slice.offset,
    )
    .map(({ oid }) => oid);
}

/**
 * One page in the order newest first, if it lies within `newest`, the newest of all matches. Null if it may not, or if
 * other posts with the time of its last post may come before that post.
 */
export function pageOfNewest(
  file: Statements,
  newest: bigint[],
  { sort, offset, limit }: Slice,
  left: LeftOut | null,
): Uint8Array[] | null {
  if (sort.sortBy !== 'timestamp' || sort.sortOrder !== 'desc' || offset + limit >= newest.length) return null;
  const rows = file.all<Found & { at: number; oldest: number }>(
    `SELECT oid, at, min(at) OVER () AS oldest FROM post WHERE rank IN (SELECT value FROM json_each(?))
     ORDER BY ${orderBy(sort)} LIMIT ? OFFSET ?`,
    toList(newest.filter((rank) => rank !== left?.rank)),
    limit,
    offset,
  );
  const last = rows.at(-1);
  return rows.length === limit && last && last.at > last.oldest ? rows.map(({ oid }) => oid) : null;
}

/**
 * One page of the `total` matches without the post left out, or the progress if the turn ends first. A turn passes no
 * more rows than its walk allows.
 */
export function findPage(
  file: Statements,
  clauses: Clause[],
  slice: Slice,
  { total, left, way, turn }: { total: number; left: LeftOut | null; way: Way | null; turn: number | undefined },
): Uint8Array[] | Way {
  const { sort, offset } = slice;
  const limit = Math.min(slice.limit, total - (left ? 1 : 0) - offset);
  if (limit <= 0) return [];
  const wanted = { sort, offset, limit };
  const saved = offset + limit <= AUTHOR_ROWS ? byAuthorSaved(clauses, sort) : null;
  if (saved) return pageSorted(file, saved, wanted, left);
  /** Expected number of rows up to the page's end, if each row is tested. */
  const ahead = () => ((offset + limit) * countAll(file)) / total;
  if (total <= Math.min(SORTED, turn ?? SORTED) && isSorted(clauses, sort, total, ahead)) {
    if (!asksFullText(clauses) || isFullTextAlone(clauses)) {
      return pageSorted(file, fastestSource(clauses), wanted, left);
    }
    const tests = clauses.map((clause) => clause.test('post.rank'));
    return collect(file, walkMatches(file, clauses, 'desc', left, turn), wanted, tests, way);
  }
  const walk = chooseWalk(file, clauses, sort, { total, left, turn });
  if (walk.isQuick) return pageOf(walk, offset, limit);
  return goOn(walk, wanted, walk.isPure ? offset + limit : ahead(), way);
}

/** One turn of the walk to a page. `ahead` is the expected number of rows up to the page's end. */
function goOn(walk: Walk, { offset, limit }: Slice, ahead: number, begun: Way | null): Uint8Array[] | Way {
  const way = begun?.name === walk.name ? begun : { name: walk.name, matches: 0, place: null, met: [] };
  const missing = limit - way.met.length;
  const skip = Math.max(0, offset - way.matches);
  if (way !== begun && ahead <= walk.turn) {
    const met = walk.meet(null, skip, missing, true);
    if (met.length === missing) return walk.order(met);
  }
  const { matches, place } = walk.pass(way.place);
  const met = matches > skip ? walk.meet(way.place, skip, missing, true) : [];
  const all = [...way.met, ...met];
  return all.length === limit || !place ? walk.order(all) : { ...way, matches: way.matches + matches, place, met: all };
}

/**
 * For few matches among many rows: collects the matches turn by turn, then sorts them. Posts may have changed
 * meanwhile, so `tests` are applied again.
 */
function collect(
  file: Statements,
  walk: Walk,
  slice: Slice,
  tests: Condition[],
  begun: Way | null,
): Uint8Array[] | Way {
  const name = `sorted ${walk.name}`;
  const way = begun?.name === name ? begun : { name, matches: 0, place: null, met: [] };
  const met = [...way.met, ...walk.meet(way.place, 0, walk.turn, true)];
  const { place } = walk.pass(way.place);
  if (place) return { ...way, place, met };
  return pageOfFew(
    file,
    met.map(({ rank }) => rank as bigint),
    slice,
    null,
    tests,
  );
}

/** All posts of an author in the order of saving, as feeds ask for them. No row beyond the page is read. */
function byAuthorSaved(clauses: Clause[], sort: ArchiveSort): Source | null {
  const [clause, ...others] = clauses;
  if (sort.sortBy !== 'saved' || others.length > 0 || clause?.counted?.table !== 'author') return null;
  return { from: 'post INDEXED BY post_author_saved', where: [clause.test('post.rank')], tests: [] };
}

/** Whether sorting the matches is faster than passing the rows before the page. */
function isSorted(clauses: Clause[], sort: ArchiveSort, total: number, ahead: () => number): boolean {
  if (sort.sortBy === 'timestamp') return false;
  if (!asksFullText(clauses) && !clauses.some(({ few }) => few)) return false;
  const cost = isCovered(clauses) ? COST.walkEntry : COST.walkRow;
  return ahead() * cost >= total * COST.sortMatch;
}

/** Whether every sort index decides all clauses. */
function isCovered(clauses: Clause[]): boolean {
  return clauses.every((clause) => clause.isCovered);
}

function chooseWalk(
  file: Statements,
  clauses: Clause[],
  sort: ArchiveSort,
  { total, left, turn }: { total: number; left: LeftOut | null; turn: number | undefined },
): Walk {
  if (sort.sortBy !== 'timestamp') return walkOrder(file, byKey(clauses, sort.sortBy), sort, left, turn);
  return asksFullText(clauses) && !isDense(file, clauses, total)
    ? walkMatches(file, clauses, sort.sortOrder, left, turn)
    : walkOrder(file, byTime(clauses), sort, left, turn);
}

/** Whether so many posts match that walking them by time is faster than asking the full text. */
function isDense(file: Statements, clauses: Clause[], total: number): boolean {
  if (!isCovered(clauses)) return false;
  return countAll(file) * COST.walkEntry < total * COST.findMatch;
}

/** All posts in the order of a key; each is tested during the walk. */
export function byKey(clauses: Clause[], sortBy: SortField): Source {
  const test = (some: Clause[]) => some.map((clause) => clause.test('post.rank'));
  const isTold = ({ isCovered, told }: Clause) => isCovered || told === KEY_INDEXES[sortBy];
  return {
    from: `post INDEXED BY ${KEY_INDEXES[sortBy]}`,
    where: test(clauses.filter(isTold)),
    tests: test(clauses.filter((clause) => !isTold(clause))),
  };
}

/** Collects the matches and sorts them; best if they are few. */
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
