import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { LaunchChain } from './launch-chain.ts';
import type { LaunchDocument } from './launch-document.ts';
import { reviewLaunch, type SettleNeeds, settleLaunch, showLaunch } from './settle-launch.ts';

type Needs = SettleNeeds & Pick<Context, 'payments'> & { chain: LaunchChain };

const LEASE = 'launches';
const LEASE_MS = 15_000;
const INTERRUPTED = 'The launch was interrupted before anything was sent. Please try again.';

export interface LaunchWatcherTiming {
  tickMs: number;
  /** A claim that has signed nothing for so long is taken for abandoned; whoever comes back to it finds it gone. */
  abandonedMs: number;
  /** How long every node must show a confirmed launch no more before it is taken for undone. */
  missingMs: number;
}

const TIMING: LaunchWatcherTiming = { tickMs: 1_500, abandonedMs: 30_000, missingMs: 20_000 };

/**
 * Settles launches that their own call does not, as after a crash, and looks again until the chain is final. One process
 * at a time does it; any may take over.
 */
export class LaunchWatcher {
  readonly #context: Needs;
  readonly #timing: LaunchWatcherTiming;
  readonly #holder = randomUUID();
  readonly #stopped = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(context: Needs, timing: Partial<LaunchWatcherTiming> = {}) {
    this.#context = context;
    this.#timing = { ...TIMING, ...timing };
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
    await this.#context.payments.endLease(LEASE, this.#holder).catch(() => {});
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        if (await this.#hasLease()) await this.look();
      } catch (error) {
        if (!signal.aborted) this.#context.log.error({ err: error }, 'watching launches failed; trying again');
      }
      await delay(this.#timing.tickMs, undefined, { signal }).catch(() => {});
    }
  }

  /** One round; a launch that fails to settle does not keep the others from their turn. */
  async look(): Promise<void> {
    const { launches, chain, database } = this.#context;
    const before = new Date(database.clock.now().getTime() - this.#timing.abandonedMs);
    await this.#each(await launches.findAbandoned(before), (launch) => this.#release(launch));
    await this.#each(await launches.findUnderWay(), (launch) =>
      settleLaunch(this.#context, chain, launch, { isThorough: true }),
    );
    await this.#each(await launches.findUnfinalized(), (launch) =>
      reviewLaunch(this.#context, chain, launch, this.#timing.missingMs),
    );
    await this.#each(await launches.findUnshown(), (launch) => showLaunch(this.#context, launch));
  }

  async #each(launches: LaunchDocument[], work: (launch: LaunchDocument) => Promise<unknown>): Promise<void> {
    for (const launch of launches) {
      if (this.#stopped.signal.aborted) return;
      await work(launch).catch((error: unknown) => {
        this.#context.log.error({ err: error, post: launch._id }, 'a launch could not be settled yet');
      });
    }
  }

  /** Nothing is sent before it is kept as signed, so there is nothing of it anywhere. */
  #release(launch: LaunchDocument): Promise<unknown> {
    const { launches, database } = this.#context;
    const changes = { failure: INTERRUPTED, changedAt: database.clock.now() };
    return launches.move(launch, ['claimed'], 'failed', changes);
  }

  #hasLease(): Promise<boolean> {
    const { payments, database } = this.#context;
    return payments.lease(LEASE, this.#holder, database.clock.now(), LEASE_MS);
  }
}
