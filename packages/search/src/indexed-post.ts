import type { MediaType, Platform } from '@archive/contracts';

/**
 * What a post is or has, yes or no. The place of a flag is its bit in the index file: a new one stands last, gets room in
 * `sqlite/traits.ts`, and raises `SCHEMA_VERSION`.
 */
export const FLAGS = ['link', 'quote', 'featured', 'launched', 'deleted'] as const;
export type Flag = (typeof FLAGS)[number];

/** One post as an engine gets it; plain, since it goes from thread to thread. */
export interface IndexedPost {
  /** Its id of 12 bytes. */
  oid: Uint8Array;
  /** Milliseconds since 1970; a removed post has no more than `oid`. */
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
  /** Those that are set. */
  flags: readonly Flag[];
  /** Of the author's own thread it stands in, whether more of that is kept or not. */
  thread: string | null;
  /** How many it has, of all kinds. */
  reactions: number;
  /** When it came into the archive, in milliseconds since 1970. */
  savedAt: number;
  /** Milliseconds since 1970, or null. */
  featuredAt: number | null;
  removed: boolean;
  /** Grows with every change of the post, below 2^53; null of one that the source does not know any more. */
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
