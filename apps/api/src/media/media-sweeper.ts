import { randomInt } from 'node:crypto';
import { LeasedLoop } from '../background/leased-loop.ts';
import type { Base } from '../base.ts';
import type { MediaParts } from './media-parts.ts';
import { finishRemovals, PREFIXES, sweepMedia } from './sweep-media.ts';

/** What a command line has removed is gone within it, and everything was looked at within two hours. */
const TICK_MS = 25_000;

/** Finishes removals, and looks at a part of all files each round. */
export class MediaSweeper extends LeasedLoop {
  readonly #parts: MediaParts;
  /** Processes that never live long still come to every part. */
  #at = randomInt(PREFIXES.length);

  constructor(base: Pick<Base, 'database' | 'log'>, parts: MediaParts) {
    super(base, { name: 'media', tickMs: TICK_MS });
    this.#parts = parts;
  }

  protected steps() {
    const prefix = PREFIXES[this.#at++ % PREFIXES.length] as string;
    return [() => finishRemovals(this.#parts), () => sweepMedia(this.#parts, prefix)];
  }
}
