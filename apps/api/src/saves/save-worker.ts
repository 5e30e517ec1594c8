import { Loop } from '../background/loop.ts';
import type { Base } from '../base.ts';
import { advanceSave, endLate, type SaveNeeds } from './advance-save.ts';
import { type LookNeeds, lookAgain } from './look-again.ts';
import { emptyRemoved, retryMedia, type TidyNeeds } from './retry-media.ts';

const TICK_MS = 1_000;
/** Requests that have not ended within their day are looked for this often. */
const LATE_MS = 60_000;
/** Requests worked on at once in this process; most of the time is spent waiting for other servers. */
const AT_ONCE = 4;
/** Whole answers of an earlier version that are reduced in a second. */
const CUT_AT_ONCE = 50;
/** Posts that an earlier version stored with an invalid handle, corrected in a second. */
const NAMED_AT_ONCE = 50;

/**
 * Advances requests to their ends. Any number of processes share the requests; if one dies, the others continue its
 * requests.
 */
export class SaveWorker {
  readonly #needs: SaveNeeds & LookNeeds & TidyNeeds;
  readonly #log: Base['log'];
  readonly #loops: Loop[];
  #wake = new AbortController();

  constructor(needs: SaveNeeds & LookNeeds & TidyNeeds) {
    this.#needs = needs;
    this.#log = needs.log;
    // Each task has its own loop, so that slow media do not delay the deletion of removed posts' bytes.
    this.#loops = [
      ...Array.from({ length: AT_ONCE }, () =>
        this.#loop(TICK_MS, (signal) => this.#advance(signal), { woken: () => this.#wake.signal }),
      ),
      // Requests of authors have their own loop, so that hanging servers do not delay them.
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

  /** Runs one round of all loops. Returns whether any had work. */
  async look(): Promise<boolean> {
    return (await Promise.all(this.#loops.map((loop) => loop.look()))).some(Boolean);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** Starts a round at once, because a request is due. */
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
