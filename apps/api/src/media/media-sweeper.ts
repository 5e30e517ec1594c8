import { randomInt } from 'node:crypto';
import { LeasedLoop } from '../background/leased-loop.ts';
import type { Base } from '../base.ts';
import type { MediaParts } from './media-parts.ts';
import { finishRemovals, PREFIXES, sweepMedia } from './sweep-media.ts';

/** Files removed by the command line are deleted within this time, and all files are checked within two hours. */
const TICK_MS = 25_000;

/** Completes removals, and checks a part of all files in each round. */
export class MediaSweeper extends LeasedLoop {
  readonly #parts: MediaParts;
  /** Random, so that short-lived processes also reach every part. */
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
