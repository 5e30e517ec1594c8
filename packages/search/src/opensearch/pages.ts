import type { ArchiveSort, SortField } from '@archive/contracts';
import { anyOf, type Query, range, term } from './compile.ts';
import { hexOf, oidOf, WINDOW } from './mapping.ts';
import { bucketsOf, firstOf, type Hit, idOf, metricOf, type Searcher } from './search.ts';

/** The field that each order sorts by. */
const KEYS: Record<SortField, string> = {
  timestamp: 'at',
  author: 'author_key',
  content: 'content_key',
  category: 'category',
  saved: 'saved_at',
  reactions: 'reactions',
};

/** The numeric field with the leading bytes of each text key. */
const HEADS: Record<string, string> = { author_key: 'author_head', content_key: 'content_head' };

/** Buckets of each histogram on the way to a far page. */
const BUCKETS = 2_000;
/** A range bound must have fewer bytes: the engine refuses 1,000. */
const LONGEST_BOUND = 1_000;
const CHUNK = 1_000;
const LOOKED_AT = 50;

function keyOf({ sortBy }: ArchiveSort): string {
  return KEYS[sortBy];
}

export function sortOf(sort: ArchiveSort): Record<string, 'asc' | 'desc'>[] {
  return [{ [keyOf(sort)]: sort.sortOrder }, { oid: 'asc' }];
}

/** Where a page begins: at an offset among the posts that satisfy the conditions, or after one of them. */
export interface Begin {
  conditions: Query[];
  offset: number;
  /** Sort key and id of that post. */
  after?: [key: string | number, oid: string];
}

/** The start of a page after a given post. */
export function beginAfter(sort: ArchiveSort, key: string | number, oid: Uint8Array): Begin {
  // The engine refuses a range with a longer text. Instead `search_after` compares the key while the matches are
  // sorted.
  if (!isBound(key)) return { conditions: [], offset: 0, after: [key, hexOf(oid)] };
  const field = keyOf(sort);
  const further = range(field, { [sort.sortOrder === 'asc' ? 'gt' : 'lt']: key });
  const same = { bool: { filter: [term(field, key), range('oid', { gt: hexOf(oid) })] } };
  return { conditions: [anyOf([further, same])], offset: 0 };
}

/** Whether the key may be a range bound. */
function isBound(key: string | number): boolean {
  return typeof key === 'number' || Buffer.byteLength(key) < LONGEST_BOUND;
}

/** Sort key and id of a hit, as `beginAfter` takes them. */
export function markOf(hit: Hit): { key: string | number; oid: Uint8Array } {
  const key = firstOf(hit);
  if (key === undefined) throw new Error('a post of the search cluster has no key to sort by');
  return { key, oid: oidOf(idOf(hit)) };
}

/**
 * Finds conditions under which the remaining offset fits into one request, which may pass 10,000 matches. Histograms
 * narrow the sort key, then the second in which the id was made. The rest is walked in steps.
 */
export async function approach(
  searcher: Searcher,
  conditions: readonly Query[],
  sort: ArchiveSort,
  { offset, limit }: { offset: number; limit: number },
): Promise<Begin> {
  const room = WINDOW - limit;
  if (offset <= room) return { conditions: [...conditions], offset };
  const key = keyOf(sort);
  const field = HEADS[key] ?? key;
  const begin: Begin = { conditions: [...conditions], offset };
  const held = await narrow(searcher, begin, field, sort.sortOrder, room);
  if (held) {
    const [from, beyondIt] = sort.sortOrder === 'asc' ? ['gte', 'gt'] : ['lte', 'lt'];
    const edge = sort.sortOrder === 'asc' ? held.first : held.last;
    if (held.first === held.last && field === key && held.offset > room) {
      const same = [...conditions, term(field, edge)];
      const made = await narrow(searcher, { conditions: same, offset: held.offset }, 'made', 'asc', room);
      const later = { bool: { filter: [term(field, edge), range('made', { gte: made?.first ?? 0 })] } };
      begin.conditions.push(anyOf([range(field, { [beyondIt as string]: edge }), later]));
      begin.offset = made?.offset ?? held.offset;
    } else {
      begin.conditions.push(range(field, { [from as string]: edge }));
      begin.offset = held.offset;
    }
  }
  while (begin.offset > (begin.after ? 0 : room)) await step(searcher, begin, sort);
  return begin;
}

/** Skips as many posts as one request may. */
async function step(searcher: Searcher, begin: Begin, sort: ArchiveSort): Promise<void> {
  const query = { bool: { filter: begin.conditions } };
  const most = begin.after ? CHUNK : WINDOW;
  const passed = Math.min(begin.offset, most);
  // Several hits, so that at least one probably has a key that may be a range bound.
  const size = begin.after ? passed : Math.min(passed, LOOKED_AT);
  const from = passed - size;
  const { hits } = await searcher.one({
    query,
    sort: sortOf(sort),
    size,
    ...(begin.after ? { after: begin.after } : { from }),
  });
  const marks = hits.map(markOf);
  const at = marks.findLastIndex(({ key }) => isBound(key));
  const bound = begin.after ? undefined : marks[at];
  const last = marks.at(-1);
  if (bound) {
    begin.conditions.push(...beginAfter(sort, bound.key, bound.oid).conditions);
    begin.offset -= from + at + 1;
  } else if (last) {
    begin.after = [last.key, hexOf(last.oid)];
    begin.offset -= from + marks.length;
  } else {
    // Posts were removed meanwhile, and none is left.
    begin.offset = 0;
  }
}

/**
 * Narrows a numeric field to the values around the offset. Returns them, and the offset among the posts that have them.
 * Null if the offset is past the last post.
 */
async function narrow(
  searcher: Searcher,
  { conditions, offset }: Begin,
  field: string,
  order: 'asc' | 'desc',
  room: number,
): Promise<{ first: number; last: number; offset: number } | null> {
  const ends = await searcher.one({
    query: { bool: { filter: conditions } },
    aggs: { first: { min: { field } }, last: { max: { field } } },
  });
  let [first, last, left] = [metricOf(ends, 'first'), metricOf(ends, 'last'), offset];
  if (first === null || last === null) return null;
  while (left > room && first < last) {
    const interval = Math.max(1, Math.ceil((last - first + 1) / BUCKETS));
    const query: Query = { bool: { filter: [...conditions, range(field, { gte: first, lte: last })] } };
    const aggs = { by: { histogram: { field, interval, min_doc_count: 1 } } };
    const buckets = bucketsOf(await searcher.one({ query, aggs }), 'by');
    if (order === 'desc') buckets.reverse();
    const held = buckets.find(({ doc_count }) => {
      if (left < doc_count) return true;
      left -= doc_count;
      return false;
    });
    // The offset is past the last post.
    if (!held) return null;
    [first, last] = [Math.max(first, held.key), Math.min(last, held.key + interval - 1)];
  }
  return { first, last, offset: left };
}
