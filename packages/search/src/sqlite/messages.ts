import type { ArchiveFilter, ArchiveSort } from '@archive/contracts';
import type { IndexPosition, Questions, Summary } from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';

/** A question as a reader gets it: equal versions mean that the archive has not changed. */
export type Asked<N extends keyof Questions> = Questions[N]['asked'] & { version: number };

/** What a thread can be asked; one entry per operation. */
export type Operations = {
  apply: { input: { posts: IndexedPost[]; position: IndexPosition | null }; output: { changed: number } };
  finishBuild: { input: null; output: null };
  summary: { input: null; output: Summary };
  /** Of a writer: from then on the file can be trusted whatever happens to the machine. */
  close: { input: null; output: null };
  /** The next chunk of an export; an empty one says that this was all. */
  chunk: { input: null; output: Uint8Array[] };
} & { [N in keyof Questions]: { input: Asked<N>; output: Questions[N]['answer'] } };

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
