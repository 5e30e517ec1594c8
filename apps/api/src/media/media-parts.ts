import type { Logger } from 'pino';
import type { ByteStore } from './bytes/byte-store.ts';
import type { MediaStore } from './media-store.ts';

/** What keeping and dropping files needs. */
export interface MediaParts {
  store: MediaStore;
  bytes: ByteStore;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
}
