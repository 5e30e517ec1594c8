import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { Lease } from './lease.ts';
import { Loop, takeSteps } from './loop.ts';

/** Time limit of a step. Steps can be repeated, and the driver sometimes hangs after a database was killed. */
const STEP_MS = 120_000;

type Step = () => Promise<unknown>;

/** Runs rounds of steps in one process at a time; any process may take over. */
export abstract class LeasedLoop {
  readonly #stepMs: number;
  readonly #lease: Lease;
  readonly #loop: Loop;

  /** `name` is the name of the lease; `tickMs` is the pause after a round. */
  constructor(
    { database, log }: { database: Database; log: Logger },
    options: { name: string; tickMs: number; stepMs?: number },
  ) {
    const { name, tickMs, stepMs = STEP_MS } = options;
    this.#stepMs = stepMs;
    this.#lease = new Lease(database.db, name, { pauseMs: tickMs });
    this.#loop = new Loop({
      pauseMs: tickMs,
      work: async () => {
        const steps = this.steps();
        if (steps.length > 0 && (await this.#lease.take())) await this.#take(steps);
      },
      onFailure: (error) => log.error({ err: error }, `watching ${name} failed; trying again`),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#lease.end();
  }

  /** Runs one round without taking the lease. */
  look(): Promise<boolean> {
    return this.#take(this.steps());
  }

  protected get signal(): AbortSignal {
    return this.#loop.signal;
  }

  /** The steps of one round; none if there is nothing to do yet. A step returns true if it found work. */
  protected abstract steps(): Step[];

  /** A failed step does not stop the following ones. */
  #take(steps: readonly Step[]): Promise<boolean> {
    return takeSteps(steps, { ms: this.#stepMs, signal: this.signal });
  }
}
