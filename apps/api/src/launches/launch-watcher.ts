import { Lease } from '../rounds/lease.ts';
import { Rounds, takeSteps } from '../rounds/rounds.ts';
import type { LaunchChain } from './launch-chain.ts';
import type { LaunchDocument } from './launch-document.ts';
import { reviewLaunch, type SettleNeeds, settleLaunch, showLaunch } from './settle-launch.ts';

type Needs = SettleNeeds & { chain: LaunchChain };

const INTERRUPTED = 'The launch was interrupted before anything was sent. Please try again.';

export interface LaunchWatcherTiming {
  tickMs: number;
  /** A claim that has signed nothing for so long is taken for abandoned; whoever comes back to it finds it gone. */
  abandonedMs: number;
  /** How long every node must show a confirmed launch no more before it is taken for undone. */
  missingMs: number;
  /** A step that takes longer is given up: it can be repeated. */
  stepMs: number;
}

const TIMING: LaunchWatcherTiming = { tickMs: 1_500, abandonedMs: 30_000, missingMs: 20_000, stepMs: 120_000 };

/**
 * Settles launches that their own call does not, as after a crash, and looks again until the chain is final. One process
 * at a time does it; any may take over.
 */
export class LaunchWatcher {
  readonly #context: Needs;
  readonly #timing: LaunchWatcherTiming;
  readonly #lease: Lease;
  readonly #rounds: Rounds;

  constructor(context: Needs, timing: Partial<LaunchWatcherTiming> = {}) {
    this.#context = context;
    this.#timing = { ...TIMING, ...timing };
    this.#lease = new Lease(context.database, 'launches');
    this.#rounds = new Rounds({
      pauseMs: this.#timing.tickMs,
      work: async () => {
        if (await this.#lease.take()) await this.look();
      },
      onFailure: (error) => context.log.error({ err: error }, 'watching launches failed; trying again'),
    });
  }

  start(): void {
    this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#lease.end();
  }

  /** One round; a step or a launch that fails does not keep the others from their turn. */
  look(): Promise<void> {
    const { launches, chain, database } = this.#context;
    const { abandonedMs, missingMs, stepMs } = this.#timing;
    const before = new Date(database.clock.now().getTime() - abandonedMs);
    const steps = [
      async () => this.#each(await launches.findAbandoned(before), (launch) => this.#release(launch)),
      async () =>
        this.#each(await launches.findUnderWay(), (launch) =>
          settleLaunch(this.#context, chain, launch, { isThorough: true }),
        ),
      async () =>
        this.#each(await launches.findUnfinalized(), (launch) => reviewLaunch(this.#context, chain, launch, missingMs)),
      async () => this.#each(await launches.findUnshown(), (launch) => showLaunch(this.#context, launch)),
    ];
    return takeSteps(steps, { ms: stepMs, signal: this.#rounds.signal });
  }

  async #each(launches: LaunchDocument[], work: (launch: LaunchDocument) => Promise<unknown>): Promise<void> {
    for (const launch of launches) {
      if (this.#rounds.signal.aborted) return;
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
}
