import { Loop } from '../background/loop.ts';
import type { Base } from '../base.ts';
import { advanceSave, endLate, type SaveNeeds } from './advance-save.ts';
import { type LookNeeds, lookAgain } from './look-again.ts';
import { emptyRemoved, retryMedia, type TidyNeeds } from './retry-media.ts';

const TICK_MS = 1_000;
/** At once in this process: most of a request is waiting for others. */
const AT_ONCE = 4;

/** Sees requests to save to their ends. Any number of processes share them; one that dies leaves its to the others. */
export class SaveWorker {
  readonly #needs: SaveNeeds & LookNeeds & TidyNeeds;
  readonly #log: Base['log'];
  readonly #loops: Loop[];
  #wake = new AbortController();

  constructor(needs: SaveNeeds & LookNeeds & TidyNeeds) {
    this.#needs = needs;
    this.#log = needs.log;
    this.#loops = Array.from({ length: AT_ONCE }, (_, at) => {
      const work = () => this.#work(at === 0);
      return new Loop({
        pauseMs: TICK_MS,
        work,
        onFailure: (error) => this.#tell(error),
        woken: () => this.#wake.signal,
      });
    });
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** Something is due now: nobody waits for the next look. */
  wake(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  async #work(isFirst: boolean): Promise<void> {
    const { saves } = this.#needs;
    const { signal } = this.#loops[0] as Loop;
    if (isFirst) {
      await endLate(this.#needs);
      await emptyRemoved(this.#needs);
      await retryMedia(this.#needs, signal);
      await lookAgain(this.#needs, signal);
    }
    while (!signal.aborted) {
      const save = await saves.store.claim();
      if (!save) return;
      await advanceSave(this.#needs, save, signal);
    }
  }

  #tell(error: unknown): void {
    this.#log.error({ err: error }, 'seeing to requests to save failed; trying again');
  }
}
