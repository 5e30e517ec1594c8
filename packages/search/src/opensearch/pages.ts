import type { ArchiveSort, SortField } from '@archive/contracts';
import { anyOf, NOTHING, type Query, range, term } from './compile.ts';
import { WINDOW } from './mapping.ts';
import { bucketsOf, type Hit, metricOf, type Searcher } from './search.ts';

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
/** Posts that one step passes where it sees each of them. */
const CHUNK = 1_000;

export function sortOf(sort: ArchiveSort): Record<string, 'asc' | 'desc'>[] {
  return [{ [KEYS[sort.sortBy]]: sort.sortOrder }, { oid: 'asc' }];
}

/** The values from `last` on, twice as far as it is from `first`. No condition where the keys are texts. */
export function nextValues(sort: ArchiveSort, first?: string | number, last?: string | number): Query[] {
  if (typeof first !== 'number' || typeof last !== 'number') return [];
  const end = last + 2 * (last - first);
  return [range(KEYS[sort.sortBy], { gte: Math.min(last, end), lte: Math.max(last, end) })];
}

/** Where a page begins: at an offset among the posts that satisfy the conditions and follow a post. */
export interface Begin {
  conditions: Query[];
  offset: number;
  /** Sort key and id of that post. */
  after?: Hit['sort'];
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
  const key = KEYS[sort.sortBy];
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
  const reached = begin.conditions;
  while (begin.offset > (begin.after ? 0 : room)) await step(searcher, begin, sort, reached);
  return begin;
}

/** Skips as many posts as one request may. `reached`: the conditions before the first step. */
async function step(searcher: Searcher, begin: Begin, sort: ArchiveSort, reached: readonly Query[]): Promise<void> {
  const query = { bool: { filter: begin.conditions } };
  const passed = Math.min(begin.offset, begin.after ? CHUNK : WINDOW);
  const from = begin.after ? 0 : passed - 1;
  const size = passed - from;
  const { hits } = await searcher.one({ query, sort: sortOf(sort), size, from, after: begin.after });
  const [key, oid = ''] = hits.at(-1)?.sort ?? [];
  // Posts were removed meanwhile, and none is left.
  if (key === undefined) return void Object.assign(begin, { conditions: [NOTHING], offset: 0, after: undefined });
  begin.offset -= from + hits.length;
  // The engine refuses a range with a longer text. `search_after` takes it, but may not pass a number of matches unseen.
  const isBound = typeof key === 'number' || Buffer.byteLength(key) < LONGEST_BOUND;
  begin.after = isBound ? undefined : [key, oid];
  if (!isBound) return;
  const field = KEYS[sort.sortBy];
  const further = range(field, { [sort.sortOrder === 'asc' ? 'gt' : 'lt']: key });
  const same = { bool: { filter: [term(field, key), range('oid', { gt: oid })] } };
  begin.conditions = [...reached, anyOf([further, same])];
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
