import type { Readable } from 'node:stream';

/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores bytes under names that are never used again. */
export interface ByteStore {
  /** Atomic. Existing bytes under this name stay. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** A range of the bytes, or all; null if the name does not exist. The caller must read or destroy the stream. */
  open(name: string, range: ByteRange): Promise<Readable | null>;
  has(name: string): Promise<boolean>;
  /** Removing a missing name is not a failure. */
  remove(name: string): Promise<void>;
  /** Names that begin with these two hexadecimal digits, and when each was stored. */
  list(prefix: string): AsyncIterable<{ name: string; at: Date }>;
}

/** Checks that the name has our own form, so that no name can leave the store. */
export function checkName(name: string): string {
  if (!/^[0-9a-f]{64}-[0-9a-f]{8}(\.webp)?$/.test(name)) throw new Error(`${name} is no name of media`);
  return name;
}
