import type { Readable } from 'node:stream';

/** From the first byte to the last, both of them included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where bytes lie, under names that are given out once in all time. */
export interface ByteStore {
  /** Whole or not at all; what stands under this name already stays as it is. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Some of the bytes, or all; null where there are none. Whoever opens a stream reads or destroys it. */
  open(name: string, range: ByteRange): Promise<Readable | null>;
  has(name: string): Promise<boolean>;
  /** Removing what is not there is no failure. */
  remove(name: string): Promise<void>;
  /** Names that begin with these two hexadecimal digits, and since when they are there. */
  list(prefix: string): AsyncIterable<{ name: string; at: Date }>;
}

/** Of the store's own making, so that none leads out of it. */
export function checkName(name: string): string {
  if (!/^[0-9a-f]{64}-[0-9a-f]{8}(\.webp)?$/.test(name)) throw new Error(`${name} is no name of media`);
  return name;
}
