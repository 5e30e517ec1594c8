import { Loop } from '../background/loop.ts';
import type { Base } from '../base.ts';
import { advanceSave, endLate, type SaveNeeds } from './advance-save.ts';
import { type LookNeeds, lookAgain } from './look-again.ts';
import { emptyRemoved, retryMedia, type TidyNeeds } from './retry-media.ts';

const TICK_MS = 1_000;
/** A request that does not come to its end in its day may as well end a minute later. */
const LATE_MS = 60_000;
/** At once in this process: most of a request is waiting for others. */
const AT_ONCE = 4;
/** Answers of platforms that the version before has kept whole, in a second. */
const CUT_AT_ONCE = 50;
/** Posts whose authors the version before named by no handle, in a second. */
const NAMED_AT_ONCE = 50;

/** Sees requests to save to their ends. Any number of processes share them; one that dies leaves its to the others. */
export class SaveWorker {
  readonly #needs: SaveNeeds & LookNeeds & TidyNeeds;
  readonly #log: Base['log'];
  readonly #loops: Loop[];
  #wake = new AbortController();

  constructor(needs: SaveNeeds & LookNeeds & TidyNeeds) {
    this.#needs = needs;
    this.#log = needs.log;
    // Each has its own: pictures that come slowly keep no removed post's bytes.
    this.#loops = [
      ...Array.from({ length: AT_ONCE }, () =>
        this.#loop(TICK_MS, (signal) => this.#advance(signal), { woken: () => this.#wake.signal }),
      ),
      // An author's word waits for no server that hangs.
      this.#loop(TICK_MS, (signal) => this.#advance(signal, { wishes: true }), { woken: () => this.#wake.signal }),
      this.#loop(LATE_MS, () => endLate(needs)),
      this.#loop(TICK_MS, () => emptyRemoved(needs)),
      this.#loop(TICK_MS, async () => (await needs.captures.cutWhole(CUT_AT_ONCE)) > 0),
      this.#loop(TICK_MS, async () => (await needs.posts.arrived.nameByIds(NAMED_AT_ONCE)) > 0),
      this.#loop(TICK_MS, (signal) => retryMedia(needs, signal)),
      this.#loop(TICK_MS, (signal) => lookAgain(needs, signal)),
    ];
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  /** One round of all of them. */
  async look(): Promise<boolean> {
    return (await Promise.all(this.#loops.map((loop) => loop.look()))).some(Boolean);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** Something is due now: nobody waits for the next look. */
  wake(): void {
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  #loop(
    pauseMs: number,
    work: (signal: AbortSignal) => Promise<unknown>,
    options: { woken?: () => AbortSignal } = {},
  ): Loop {
    const loop: Loop = new Loop({
      pauseMs,
      work: () => work(loop.signal),
      onFailure: (error) => this.#tell(error),
      ...options,
    });
    return loop;
  }

  async #advance(signal: AbortSignal, which: { wishes?: boolean } = {}): Promise<boolean> {
    const { saves, sources } = this.#needs;
    for (let isFound = false; ; isFound = true) {
      const save = signal.aborted ? null : await saves.store.claim([...sources.byPlatform.keys()], which);
      if (!save) return isFound;
      await advanceSave(this.#needs, save, signal);
    }
  }

  #tell(error: unknown): void {
    this.#log.error({ err: error }, 'seeing to requests to save failed; trying again');
  }
}
