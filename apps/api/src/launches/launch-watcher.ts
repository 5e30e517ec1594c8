import { LeasedLoop } from '../background/leased-loop.ts';
import type { Chain } from '../chain/chain.ts';
import { ArchiveState } from '../db/archive-state.ts';
import { isRemoved } from '../posts/post-document.ts';
import { forgetWords } from './forget-words.ts';
import type { LaunchDocument } from './launch-document.ts';
import { reviewLaunch, type SettleNeeds, settleLaunch, showLaunch } from './settle-launch.ts';
import { wordsFor } from './token-metadata.ts';

type Needs = SettleNeeds & { chain: Chain };

const INTERRUPTED = 'The launch was interrupted before anything was sent. Please try again.';

export interface LaunchWatcherTiming {
  tickMs: number;
  /** A claim without a signature for this long counts as abandoned; its process then finds the claim gone. */
  abandonedMs: number;
  /** How long every node must no longer show a confirmed launch before it counts as undone. */
  missingMs: number;
  /** How often the watcher looks for text of posts that another process removed, or a process that died. */
  walkMs: number;
  stepMs?: number;
}

const TIMING: LaunchWatcherTiming = { tickMs: 1_500, abandonedMs: 30_000, missingMs: 20_000, walkMs: 600_000 };

/**
 * Settles launches that their own call did not settle, for example after a crash. Checks confirmed launches until the
 * chain is final.
 */
export class LaunchWatcher extends LeasedLoop {
  readonly #context: Needs;
  readonly #timing: LaunchWatcherTiming;
  #isSettled = false;
  #walkedAt = Number.NEGATIVE_INFINITY;

  constructor(context: Needs, timing: Partial<LaunchWatcherTiming> = {}) {
    const all = { ...TIMING, ...timing };
    super(context, { name: 'launches', ...all });
    this.#context = context;
    this.#timing = all;
  }

  protected steps() {
    const { chain, database } = this.#context;
    const { store: launches } = this.#context.launches;
    const { abandonedMs, missingMs } = this.#timing;
    const before = new Date(database.clock.now().getTime() - abandonedMs);
    return [
      async () => this.#each(await launches.findAbandoned(before), (launch) => this.#release(launch)),
      async () =>
        this.#each(await launches.findUnderWay(), (launch) =>
          settleLaunch(this.#context, chain, launch, { isThorough: true }),
        ),
      async () =>
        this.#each(await launches.findUnfinalized(), (launch) => reviewLaunch(this.#context, chain, launch, missingMs)),
      () => this.#giveWords(),
      async () => this.#each(await launches.findUnshown(), (launch) => showLaunch(this.#context, launch)),
      () => this.#forgetRemoved(),
      () => this.#settleRestore(),
    ];
  }

  /** Opens launching again after a restore, once no launch is under way on this chain. */
  async #settleRestore(): Promise<void> {
    if (this.#isSettled) return;
    const { chain, database, launches } = this.#context;
    const state = new ArchiveState(database.db);
    if (await state.isUnsettled('launches')) {
      const genesisHash = await chain.readGenesisHash();
      const left = await launches.store.findUnderWay();
      if (left.some((launch) => launch.genesisHash === genesisHash)) return;
      await state.settle('launches');
    }
    this.#isSettled = true;
  }

  /** Restores the text in launches that a restore has put back, once their posts exist again. */
  async #giveWords(): Promise<void> {
    const { posts, launches } = this.#context;
    for await (const launch of launches.store.readRestored()) {
      const post = await posts.store.find(launch._id.toHexString());
      if (post && !isRemoved(post)) await launches.store.giveWords(launch, wordsFor(launch, post.content));
    }
  }

  async #forgetRemoved(): Promise<void> {
    const { posts, launches, log } = this.#context;
    if (performance.now() - this.#walkedAt < this.#timing.walkMs) return;
    for await (const batch of launches.store.walkWorded()) {
      if (this.signal.aborted) return;
      const removed = await posts.store.findRemoved(batch);
      if (removed.length > 0) await forgetWords({ store: launches.store, log }, removed);
    }
    this.#walkedAt = performance.now();
  }

  async #each(launches: LaunchDocument[], work: (launch: LaunchDocument) => Promise<unknown>): Promise<void> {
    for (const launch of launches) {
      if (this.signal.aborted) return;
      await work(launch).catch((error: unknown) => {
        this.#context.log.error({ err: error, post: launch._id }, 'a launch could not be settled yet');
      });
    }
  }

  /** A transaction is stored as signed before it is sent. So nothing was sent for this claim. */
  #release(launch: LaunchDocument): Promise<unknown> {
    const { launches, database } = this.#context;
    const changes = { failure: INTERRUPTED, changedAt: database.clock.now() };
    return launches.store.move(launch, ['claimed'], 'failed', changes);
  }
}
