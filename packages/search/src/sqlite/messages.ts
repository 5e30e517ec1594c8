import type { ArchiveFilter, ArchiveSort } from '@archive/contracts';
import type { IndexPosition, Questions, Summary } from '../archive-index.ts';
import type { IndexedPost } from '../indexed-post.ts';

/** A question as a reader thread receives it. An equal version means that the archive has not changed. */
export type Asked<N extends keyof Questions> = Questions[N]['asked'] & { version: number };

/** The operations of a thread, one entry each. */
export type Operations = {
  apply: { input: { posts: IndexedPost[]; position: IndexPosition | null }; output: { changed: number } };
  finishBuild: { input: null; output: null };
  summary: { input: null; output: Summary };
  /** For writers: closes the file durably, so that it can be trusted after a crash of the machine. */
  close: { input: null; output: null };
  /** The next chunk of an export; an empty chunk ends it. */
  chunk: { input: null; output: Uint8Array[] };
} & { [N in keyof Questions]: { input: Asked<N>; output: Questions[N]['answer'] } };

export type OperationName = keyof Operations;

/** Begins a call, runs its next turn, or cancels it. */
export type Request<N extends OperationName = OperationName> =
  | { call: number; name: N; input: Operations[N]['input'] }
  | { call: number; step: 'go on' | 'drop' };

/**
 * `ahead` comes before the output and tells which posts it will probably hold. `more` ends a turn without an output.
 */
export type Reply =
  | { call: number; ahead: Uint8Array[] }
  | { call: number; more: true }
  | { call: number; output: unknown }
  | { call: number; error: { message: string; stack?: string | undefined } };

export interface WorkerOptions {
  role: 'writer' | 'builder' | 'reader' | 'exporter';
  path: string;
  /** Id of the archive that the file is derived from. The writer replaces a file of another archive. */
  epoch: string;
  /** For an exporter: what to export. */
  question?: { filter: ArchiveFilter; sort: ArchiveSort; now: number };
}
