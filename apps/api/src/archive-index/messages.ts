import type { ArchiveFilter, ArchiveSort } from '@archive/contracts';

/** One post as the index needs it. */
export interface IndexedPost {
  /** The 12 bytes of its ObjectId. */
  oid: Uint8Array;
  /** Milliseconds since 1970; a removed post has no more than `oid`. */
  at: number;
  content: string;
  author: string;
  handle: string;
  category: string | null;
  /** Milliseconds since 1970, or null. */
  featuredAt: number | null;
  removed: boolean;
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
}

export interface IndexStats {
  total: number;
  authors: number;
  recent: number;
}

export interface ListAnswer {
  oids: Uint8Array[];
  total: number;
  featured: Uint8Array | null;
  stats: IndexStats;
  /** Milliseconds the thread spent on the total and on all the rest. */
  spent: { total: number; rest: number };
}

export interface AnalyticsAnswer {
  topAuthors: { handle: string; posts: number; newest: Uint8Array }[];
  categories: { category: number; posts: number }[];
  /** Days since 1970. */
  days: { day: number; posts: number }[];
}

export interface Summary {
  posts: number;
  /** Up to where changes were followed: milliseconds since 1970 by MongoDB's clock. */
  position: number | null;
  /** Whether the file was made just now and has to be filled. */
  isEmpty: boolean;
}

/** What the two threads can be asked; one entry per operation. */
export interface Operations {
  apply: { input: { posts: IndexedPost[]; position: number | null }; output: { changed: number } };
  /** Merges a little of the full text; answers whether there is more to merge. */
  tidy: { input: null; output: boolean };
  finishBuild: { input: { position: number }; output: null };
  summary: { input: null; output: Summary };
  list: { input: ListQuestion & { version: number }; output: ListAnswer };
  analytics: { input: { now: number }; output: AnalyticsAnswer };
  close: { input: null; output: null };
  /** A page of everything held, by `oid`, to compare with MongoDB. */
  walk: { input: { after: Uint8Array | null; limit: number }; output: Uint8Array[] };
}

export type OperationName = keyof Operations;

export interface Request<N extends OperationName = OperationName> {
  call: number;
  name: N;
  input: Operations[N]['input'];
}

export type Reply =
  | { call: number; output: unknown }
  | { call: number; error: { message: string; stack?: string | undefined } };

export interface WorkerOptions {
  role: 'writer' | 'reader' | 'exporter';
  path: string;
  /** Of an exporter: what to walk through. */
  question?: { filter: ArchiveFilter; sort: ArchiveSort };
}
