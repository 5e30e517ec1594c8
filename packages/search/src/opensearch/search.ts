import { IndexAwayError } from '../archive-index.ts';
import { type Cluster, QUESTION_MS } from './cluster.ts';
import type { Query } from './compile.ts';
import { oidOf } from './mapping.ts';

export interface Search {
  query: Query;
  size?: number;
  from?: number;
  sort?: Record<string, 'asc' | 'desc'>[];
  source?: readonly string[];
  /** Whether all matches are counted. */
  isCounted?: boolean;
  /** Sort values after which the hits begin. */
  after?: readonly (string | number)[] | undefined;
  aggs?: Record<string, unknown>;
}

export interface Hit {
  /** The index that holds it, by its own name. */
  _index: string;
  /** Its sort values, in the order of `Search.sort`. */
  sort?: (string | number)[];
  _source?: Record<string, unknown>;
}

interface Bucket<Key> {
  key: Key;
  doc_count: number;
  [name: string]: unknown;
}

/** An aggregation within a bucket. */
export interface Buckets {
  buckets: Bucket<number>[];
}

export interface Found {
  total: number;
  hits: Hit[];
  aggregations: Record<string, { value?: number | null; doc_count?: number; buckets?: never[] } | undefined>;
}

interface Answer {
  timed_out: boolean;
  _shards: { failed: number; total: number; successful: number };
  hits: { total?: { value: number; relation: string }; hits: Hit[] };
  aggregations?: Found['aggregations'];
  error?: { type: string; reason: string };
  status?: number;
}

/**
 * Exceeds the number of shards of an index. Otherwise a sorted search first asks each shard whether it may hold a
 * match, and every shard does.
 */
const NO_FIRST_ROUND = { pre_filter_shard_size: 10_000 };

/** Asks one index of a cluster. An answer is complete or fails: no part of the archive is silently left out. */
export class Searcher {
  readonly #cluster: Cluster;
  readonly #index: string;
  readonly #signal: AbortSignal | undefined;

  /** `signal` is aborted when the caller no longer wants the answers. */
  constructor(cluster: Cluster, index: string, signal?: AbortSignal) {
    this.#cluster = cluster;
    this.#index = index;
    this.#signal = signal;
  }

  async one(search: Search, ms = QUESTION_MS): Promise<Found> {
    const answer = await this.#cluster.call<Answer>(`POST /${this.#index}/_search`, {
      query: { allow_partial_search_results: false, ...NO_FIRST_ROUND },
      body: bodyOf(search),
      member: 'hits',
      ms,
      signal: this.#signal,
    });
    return foundIn(answer);
  }

  /** Runs several searches in one request. */
  async all(searches: readonly Search[]): Promise<Found[]> {
    if (searches.length === 0) return [];
    const lines = searches.flatMap((search) => [{ allow_partial_search_results: false }, bodyOf(search)]);
    const { responses } = await this.#cluster.call<{ responses: Answer[] }>(`POST /${this.#index}/_msearch`, {
      query: NO_FIRST_ROUND,
      lines: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
      member: 'responses',
      ms: QUESTION_MS,
      signal: this.#signal,
    });
    return responses.map((answer) => {
      if (answer.error) throw this.#cluster.toldOf(answer.status ?? 500, answer.error);
      return foundIn(answer);
    });
  }
}

function bodyOf({ query, size = 0, from, sort, source, isCounted = false, after, aggs }: Search) {
  return {
    query,
    size,
    from,
    sort,
    _source: source ?? false,
    // The sort values of a post suffice. Reading its stored fields takes longer than finding it.
    stored_fields: source ? undefined : '_none_',
    track_total_hits: isCounted,
    search_after: after,
    aggs,
  };
}

function foundIn({ timed_out, _shards, hits, aggregations = {} }: Answer): Found {
  if (timed_out || _shards.failed > 0 || _shards.successful < _shards.total) {
    throw new IndexAwayError('away', 'the search cluster answered in part');
  }
  return { total: hits.total?.value ?? 0, hits: hits.hits, aggregations };
}

/** The buckets of an aggregation: each value, and the number of posts that have it. */
export function bucketsOf<Key = number>(found: Found, name: string): Bucket<Key>[] {
  return (found.aggregations[name]?.buckets ?? []) as Bucket<Key>[];
}

export function metricOf(found: Found, name: string): number | null {
  return found.aggregations[name]?.value ?? null;
}

/** The id of a post in hexadecimal digits: the last of its sort values. */
export function idOf({ sort }: Hit): string {
  return String(sort?.at(-1));
}

/** The ids (12 bytes) of the hits. */
export function oidsOf({ hits }: Pick<Found, 'hits'>): Uint8Array[] {
  return hits.map((hit) => oidOf(idOf(hit)));
}
