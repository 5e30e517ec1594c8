import type { ArchiveFilter, ArchiveSort } from '@archive/contracts';
import type {
  AnalyticsAnswer,
  AuthorFigures,
  ExploreAnswer,
  IndexPosition,
  InTime,
  ListAnswer,
  ListQuestion,
  Neighbours,
  Suggestions,
  Summary,
  TimelineAnswer,
  TimelineQuestion,
  Typed,
} from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';

/** What a thread can be asked; one entry per operation. */
export interface Operations {
  apply: { input: { posts: IndexedPost[]; position: IndexPosition | null }; output: { changed: number } };
  finishBuild: { input: null; output: null };
  summary: { input: null; output: Summary };
  list: { input: ListQuestion & { version: number }; output: ListAnswer };
  analytics: { input: { now: number }; output: AnalyticsAnswer };
  explore: { input: { now: number }; output: ExploreAnswer };
  at: { input: { place: number }; output: Uint8Array | null };
  neighbours: { input: InTime; output: Neighbours };
  timeline: { input: TimelineQuestion; output: TimelineAnswer };
  author: { input: { handle: string }; output: AuthorFigures | null };
  suggest: { input: Typed; output: Suggestions };
  close: { input: null; output: null };
  walk: { input: { after: Uint8Array | null; limit: number }; output: Uint8Array[] };
}

export type OperationName = keyof Operations;

/** Begins a call, has it go on for a turn, or says that its answer is wanted no more. */
export type Request<N extends OperationName = OperationName> =
  | { call: number; name: N; input: Operations[N]['input'] }
  | { call: number; step: 'go on' | 'drop' };

/** `ahead` comes before the output, and tells what it will probably hold; `more` says that a turn has ended. */
export type Reply =
  | { call: number; ahead: Uint8Array[] }
  | { call: number; more: true }
  | { call: number; output: unknown }
  | { call: number; error: { message: string; stack?: string | undefined } };

export interface WorkerOptions {
  role: 'writer' | 'builder' | 'reader' | 'exporter';
  path: string;
  /** Of the archive it is derived from; the writer replaces the file of another one. */
  epoch: string;
  /** Of an exporter: what to walk through. */
  question?: { filter: ArchiveFilter; sort: ArchiveSort; now: number };
}
