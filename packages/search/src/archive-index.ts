import type { ArchiveFilter, ArchiveSort, Platform, SortOrder } from '@archive/contracts';
import type { OverTime } from './figures.ts';
import type { IndexedPost } from './indexed-post.ts';

/**
 * The interface of a search engine: which posts match, in which order, and how many. `Asker` names the caller of a
 * question; the engine passes it to the queue (`turns`) that it was opened with.
 */
export interface ArchiveIndex<Asker> {
  /** Increases with every change to a listing. Equal versions mean equal answers. */
  readonly version: number;
  /** Rejects when the index can no longer answer any question. The process should then restart. */
  readonly failure: Promise<never>;
  /**
   * Whether all processes of the archive share the index. Then one process maintains it, and each process writes its
   * own changes.
   */
  readonly isShared: boolean;
  /** The order of time in which `rebuild` takes the posts. */
  readonly buildOrder: SortOrder;
  /** A problem of the index, as text for the operator; null if there is none. */
  readonly trouble: string | null;
  /** Whether a newer release has replaced the shared index. This process cannot use the new one. */
  readonly isOutdated: boolean;
  /** How many posts the engine has refused for good. */
  readonly refused: number;

  /**
   * While a list's matches are counted, the engine may call `onAhead`, more than once, with the posts that the page
   * will probably show. Rejects with the queue's error if the question would wait too long.
   */
  ask<N extends keyof Questions>(
    name: N,
    asked: Questions[N]['asked'],
    asker: Asker,
    onAhead?: (oids: Uint8Array[]) => void,
  ): Promise<Questions[N]['answer']>;
  /**
   * Every match in order, in chunks. A post that matches throughout the export occurs exactly once. A post that is
   * added or removed meanwhile may or may not occur.
   */
  export(filter: ArchiveFilter, sort: ArchiveSort, now: number): AsyncGenerator<Uint8Array[]>;

  summary(): Promise<Summary>;
  /**
   * Applies changed posts and returns how many of them may change a list. `position` is how far the caller has then
   * followed the source's changes. Another process may already have applied the posts to a shared index; this process
   * counts them all the same.
   */
  apply(posts: IndexedPost[], position: IndexPosition | null): Promise<number>;
  /** Applies posts in their present state and returns how many differed in the index. */
  mend(posts: IndexedPost[]): Promise<number>;
  /**
   * Builds a new index beside the current one, then replaces the current one in one step. The build pauses between
   * batches while questions wait. Rejects with `NoRoomError` if the disk has no room for both.
   */
  rebuild(source: RebuildSource): Promise<void>;
  /** Deletes what a killed build has left. Call it only while no process builds. */
  tidy(): Promise<void>;
  /** Compares the whole index with the posts that it was derived from. `posts` must be in ascending order of `_id`. */
  check(posts: AsyncIterable<IndexedPost>, onProgress?: (done: number) => void): Promise<IndexReport>;
  close(): Promise<void>;
}

/** The questions that an index answers. Each `now` is in milliseconds since 1970. */
export interface Questions {
  list: { asked: ListQuestion; answer: ListAnswer };
  /** The last day counted is the day of `now`. */
  analytics: { asked: { now: number }; answer: AnalyticsAnswer };
  /** `now` gives the current month, and the calendar day whose posts of other years are listed. */
  explore: { asked: { now: number }; answer: ExploreAnswer };
  /** The post at a relative position in the order of time, from 0 (oldest) to below 1. Null if the index is empty. */
  at: { asked: { place: number }; answer: Uint8Array | null };
  /** Authors and words that begin with what was typed. */
  suggest: { asked: Typed; answer: Suggestions };
  /** How many posts match, over time. */
  timeline: { asked: TimelineQuestion; answer: TimelineAnswer };
  /** Figures over all posts of an author; null if the index holds none. */
  author: { asked: { handle: string }; answer: AuthorFigures | null };
  /** The posts next to a position in the order of time. No post need be at that position. */
  neighbours: { asked: InTime; answer: Neighbours };
  /** Up to `limit` ids of held posts, ascending, after `after`. The server compares them with the source. */
  walk: { asked: { after: Uint8Array | null; limit: number }; answer: Uint8Array[] };
}

export interface IndexReport {
  posts: number;
  differenceCount: number;
  /** The first 1,000 differences, as text. */
  differences: string[];
}

/** An answer, or a generator whose last step returns it. Between two steps another question may run. */
export type Work<Answer> = Promise<Answer> | AsyncGenerator<void, Answer, void>;

/** Decides which question a worker answers next. A question stays with the worker that began it. */
export interface Turns<Worker, Asker> {
  ask<Answer>(question: (worker: Worker) => Work<Answer>, asker: Asker): Promise<Answer>;
}

export interface RebuildSource {
  /** Every post by time, in the index's `buildOrder`. */
  posts: AsyncIterable<IndexedPost[]>;
  /** Approximate number of posts. */
  count: number;
  /**
   * Called after the last post. It passes the changes since the read began to `take`, and returns how far it has
   * followed changes. From then on `apply` writes to both indexes.
   */
  catchUp(take: (posts: IndexedPost[]) => Promise<unknown>): Promise<IndexPosition>;
}

export class NoRoomError extends Error {
  override name = 'NoRoomError';

  /** Both in bytes. */
  constructor({ needed, free }: { needed: number; free: number }) {
    const mega = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
    super(`the disk has no room for a second index file: ${mega(needed)} are needed and ${mega(free)} are free`);
  }
}

/** The index cannot answer or accept writes at present. `reason` says why; a retry may succeed. */
export class IndexAwayError extends Error {
  override name = 'IndexAwayError';
  readonly reason: 'away' | 'building' | 'overloaded' | 'disk';

  constructor(reason: IndexAwayError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface ListQuestion {
  filter: ArchiveFilter;
  sort: ArchiveSort;
  offset: number;
  limit: number;
  /** Leave the featured post out of the rows. */
  split: boolean;
  /** End of the last seven days, in milliseconds since 1970. */
  now: number;
  /** The post that the page begins after, instead of an offset. */
  after?: Mark | undefined;
}

/** The position of a post in an order: the cursor of a page. */
export interface Mark {
  oid: Uint8Array;
  /** The post's sort key. Null if the key is a text; the engine then looks it up by `oid`. */
  key: number | null;
  /** Number of posts up to and including this one. Used only if the text key can no longer be looked up. */
  passed: number;
}

/** A position in the order of time. Posts of the same millisecond are ordered by id. */
export interface InTime {
  /** Milliseconds since 1970. */
  at: number;
  oid: Uint8Array;
}

/** The ids (12 bytes) of the next older and the next newer post. */
export interface Neighbours {
  before: Uint8Array | null;
  after: Uint8Array | null;
}

/** Posts are given by their ids of 12 bytes. */
export interface ListAnswer {
  oids: Uint8Array[];
  total: number;
  /** The last post of the page; null if the page is not full. */
  last: Mark | null;
  featured: Uint8Array | null;
  stats: IndexStats;
  /** Milliseconds spent on the total, and on everything else. */
  spent: { total: number; rest: number };
}

export interface IndexStats {
  total: number;
  authors: number;
  recent: number;
}

export interface AnalyticsAnswer {
  topAuthors: AuthorCount[];
  categories: { category: number; posts: number }[];
  /** Days since 1970. */
  days: { day: number; posts: number }[];
}

export interface ExploreAnswer {
  total: number;
  /** When the archive saved its first post, in milliseconds since 1970. */
  keptSince: number | null;
  /** The month of the oldest post, as months since January 1970; null in an empty archive. */
  writtenSince: number | null;
  /** Posts of each category in each month, oldest first. */
  months: { category: number; month: number; posts: number }[];
  categories: { category: number; posts: number }[];
  activeAuthors: AuthorCount[];
  /** `since`: when the archive saved the author's first post, in milliseconds since 1970. */
  newAuthors: (AuthorCount & { since: number })[];
  /** `language` is null for posts of unknown language. */
  languages: { language: string | null; posts: number }[];
  /**
   * Posts of the same calendar day in other years, latest year first. `day` is in days since 1970; `shown` is the post
   * to show.
   */
  sameDays: { day: number; posts: number; shown: Uint8Array | null }[];
}

export interface AuthorCount {
  handle: string;
  posts: number;
  newest: Uint8Array;
}

/** The beginning of a handle, or of a word. */
export interface Typed {
  from?: string | undefined;
  word?: string | undefined;
}

export interface Suggestions {
  authors: AuthorCount[];
  words: string[];
}

export interface TimelineQuestion {
  filter: ArchiveFilter;
  now: number;
}

export interface TimelineAnswer extends OverTime {
  /** Milliseconds that the count took. */
  spent: number;
}

export interface AuthorFigures {
  posts: number;
  reactions: number;
  /** Milliseconds since 1970. */
  first: number;
  last: number;
  newest: Uint8Array;
  categories: { category: number; posts: number }[];
  platforms: { platform: Platform; posts: number }[];
}

/** How far the source's changes have been followed. */
export interface IndexPosition {
  /** Milliseconds since 1970 by the source's clock. */
  at: number;
  /** The source's mark at that time. A mark of the source that is not higher shows that the source was restored. */
  beat: number;
}

export interface Summary {
  posts: number;
  position: IndexPosition | null;
  /**
   * Since when the index may still hold words of removed or changed posts, in milliseconds since 1970; null if it holds
   * none.
   */
  goneSince: number | null;
}
