import type { Logger } from 'pino';
import type { ByteStore } from './bytes/byte-store.ts';
import type { MediaStore } from './media-store.ts';

export interface MediaParts {
  store: MediaStore;
  bytes: ByteStore;
  /** Returns milliseconds since 1970. */
  now: () => number;
  log: Logger;
}
