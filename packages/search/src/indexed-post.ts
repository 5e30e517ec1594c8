import type { MediaType, Platform } from '@archive/contracts';

/**
 * Yes-or-no properties of a post. The position of a flag is its bit in the index file. A new flag goes last, needs room
 * in `sqlite/traits.ts`, and requires a higher `SCHEMA_VERSION`.
 */
export const FLAGS = ['link', 'quote', 'featured', 'launched', 'deleted'] as const;
export type Flag = (typeof FLAGS)[number];

/** One post as an engine receives it. A plain object, because it is passed between threads. */
export interface IndexedPost {
  /** Id of 12 bytes. */
  oid: Uint8Array;
  /** Milliseconds since 1970. Of a removed post only `oid`, `removed` and `changed` are valid. */
  at: number;
  content: string;
  author: string;
  handle: string;
  category: string | null;
  /** The type of each of its media. */
  media: readonly MediaType[];
  platform: Platform;
  /** A language tag. */
  language: string | null;
  /** The flags that are set. */
  flags: readonly Flag[];
  /** Id of the author's own thread that the post belongs to, whether or not more of the thread is held. */
  thread: string | null;
  /** Number of reactions, of all kinds. */
  reactions: number;
  /** When the archive saved the post, in milliseconds since 1970. */
  savedAt: number;
  /** Milliseconds since 1970; null if the post is not featured. */
  featuredAt: number | null;
  removed: boolean;
  /** Increases with every change of the post, below 2^53. Null if the source no longer knows the post. */
  changed: number | null;
}

export function toRemoval(oid: Uint8Array, changed: number | null = null): IndexedPost {
  return {
    oid,
    at: 0,
    content: '',
    author: '',
    handle: '',
    category: null,
    media: [],
    platform: 'other',
    language: null,
    flags: [],
    thread: null,
    reactions: 0,
    savedAt: 0,
    featuredAt: null,
    removed: true,
    changed,
  };
}
