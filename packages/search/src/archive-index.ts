import type { ArchiveFilter, ArchiveSort, Bucket, Platform } from '@archive/contracts';
import type { IndexedPost } from './indexed-post.ts';

/**
 * Which posts match, in which order, and how many: all that callers know of an engine. `Asker` says who asks; the engine
 * hands it to the queue that it was opened with.
 */
export interface ArchiveIndex<Asker> {
  /** Grows with every change to what a listing shows; equal numbers mean equal answers. */
  readonly version: number;
  /** Rejects when the index can answer nothing any more: then the process had better begin again. */
  readonly failure: Promise<never>;
  /** Whether all processes of the archive share it: then one of them keeps it, and each writes what it changes. */
  readonly isShared: boolean;
  /** What an operator should know of it, in words; null where all is well. */
  readonly trouble: string | null;
  /** Whether a newer release has put its index in place of the shared one: its processes serve better. */
  readonly isOutdated: boolean;
  /** Posts that it cannot take in whatever is done. */
  readonly refused: number;

  /**
   * `onAhead` may be told, while the matches of a list are counted, which posts the page will probably show; more than once.
   * Rejects with whatever the queue rejects with, where it would wait too long.
   */
  ask<N extends keyof Questions>(
    name: N,
    asked: Questions[N]['asked'],
    asker: Asker,
    onAhead?: (oids: Uint8Array[]) => void,
  ): Promise<Questions[N]['answer']>;
  /** Every match in order, in chunks; what is there all along is in it once, what comes or goes meanwhile may be. */
  export(filter: ArchiveFilter, sort: ArchiveSort, now: number): AsyncGenerator<Uint8Array[]>;

  summary(): Promise<Summary>;
  /**
   * Takes changed posts in and answers how many lists may show otherwise; `position` says up to where changes have then been
   * followed. Of a shared index another process may have taken them in already: they are news to this one all the same.
   */
  apply(posts: IndexedPost[], position: IndexPosition | null): Promise<number>;
  /** Takes posts in as they are and answers how many were held otherwise. */
  mend(posts: IndexedPost[]): Promise<number>;
  /**
   * Builds a new index beside the one in use and puts it in its place, whole. It rests between batches while questions
   * wait. Rejects with `NoRoomError` where the disk is too small for both.
   */
  rebuild(source: RebuildSource): Promise<void>;
  /** Removes what a build has left that was killed; only while no process builds. */
  tidy(): Promise<void>;
  /** Compares all that is held with the posts it was derived from, given by `_id` ascending. */
  check(posts: AsyncIterable<IndexedPost>, onProgress?: (done: number) => void): Promise<IndexReport>;
  close(): Promise<void>;
}

/** What an index can be asked, and what it answers. Each `now` is in milliseconds since 1970. */
export interface Questions {
  list: { asked: ListQuestion; answer: ListAnswer };
  /** The last of the days counted is that of `now`. */
  analytics: { asked: { now: number }; answer: AnalyticsAnswer };
  /** The month, and the day in other years, are those of `now`. */
  explore: { asked: { now: number }; answer: ExploreAnswer };
  /** The post at a place among all, from 0 to just under 1; null where there is none. */
  at: { asked: { place: number }; answer: Uint8Array | null };
  /** Authors and words that begin with what was typed. */
  suggest: { asked: Typed; answer: Suggestions };
  /** How many posts match, over time. */
  timeline: { asked: TimelineQuestion; answer: TimelineAnswer };
  /** Figures of all posts of an author; null where the index holds no post of theirs. */
  author: { asked: { handle: string }; answer: AuthorFigures | null };
  /** What stands next to a place in time, which need not be taken. */
  neighbours: { asked: InTime; answer: Neighbours };
  /** Up to `limit` of the posts held, by id, after `after`: to compare with the source. */
  walk: { asked: { after: Uint8Array | null; limit: number }; answer: Uint8Array[] };
}

export interface IndexReport {
  posts: number;
  differenceCount: number;
  /** The first of them, in words. */
  differences: string[];
}

/** An answer, or turns of which the last brings it: between two of them another question may have its turn. */
export type Work<Answer> = Promise<Answer> | AsyncGenerator<void, Answer, void>;

/** Decides whose question a worker answers next. The worker that has begun a question goes on with it. */
export interface Turns<Worker, Asker> {
  ask<Answer>(question: (worker: Worker) => Work<Answer>, asker: Asker): Promise<Answer>;
}

export interface RebuildSource {
  /** Every post, oldest first. */
  posts: AsyncIterable<IndexedPost[]>;
  /** About how many these are. */
  count: number;
  /**
   * Called after the last of them: hands over what has changed since the reading began, and answers up to where it has
   * followed changes. From then on `apply` reaches both indexes.
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

/** An index that cannot answer or take in what it is given, and why; it may do so later. */
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
  /** Milliseconds since 1970: where the last seven days end. */
  now: number;
  /** The post that the page begins after, instead of an offset. */
  after?: Mark | undefined;
}

/** Where a post stands in an order. */
export interface Mark {
  oid: Uint8Array;
  /** What it is sorted by; null where that is a text, which is looked up. */
  key: number | null;
  /** Posts up to it and it; counts where its text is not to be had any more. */
  passed: number;
}

/** A place in the order of time; of posts of the same millisecond the id decides. */
export interface InTime {
  /** Milliseconds since 1970. */
  at: number;
  oid: Uint8Array;
}

/** Posts by their ids of 12 bytes: the next older one and the next newer one. */
export interface Neighbours {
  before: Uint8Array | null;
  after: Uint8Array | null;
}

/** Posts by their ids of 12 bytes. */
export interface ListAnswer {
  oids: Uint8Array[];
  total: number;
  /** The last post of a full page. */
  last: Mark | null;
  featured: Uint8Array | null;
  stats: IndexStats;
  /** Milliseconds spent on the total and on all the rest. */
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
  /** When the first post came, in milliseconds since 1970. */
  keptSince: number | null;
  /** The month of the oldest post, since January 1970; null in an empty archive. */
  writtenSince: number | null;
  /** Posts of each category in each month, oldest first. */
  months: { category: number; month: number; posts: number }[];
  categories: { category: number; posts: number }[];
  activeAuthors: AuthorCount[];
  /** When their first post came, in milliseconds since 1970. */
  newAuthors: (AuthorCount & { since: number })[];
  /** Null: none is known. */
  languages: { language: string | null; posts: number }[];
  /** Of this day in other years, the latest first; days since 1970. */
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

export interface TimelineAnswer {
  bucket: Bucket;
  /** The days since 1970 on which buckets begin, in order; none without posts. */
  counts: { from: number; posts: number }[];
  /** Milliseconds since counting began. */
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

/** Up to where changes were followed. */
export interface IndexPosition {
  /** Milliseconds since 1970 by the source's clock. */
  at: number;
  /** The mark that the source then bore. */
  beat: number;
}

export interface Summary {
  posts: number;
  position: IndexPosition | null;
  /** Since when it may hold words of posts that were removed or changed, in milliseconds since 1970; null where it holds none. */
  goneSince: number | null;
}
