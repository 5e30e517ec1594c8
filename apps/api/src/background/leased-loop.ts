import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { Lease } from './lease.ts';
import { Loop, takeSteps } from './loop.ts';

/** A step that takes longer is given up: it can be repeated, and a killed engine sometimes leaves the driver waiting. */
const STEP_MS = 120_000;

type Step = () => Promise<unknown>;

/** Rounds of steps that one process at a time takes; any may take over. */
export abstract class LeasedLoop {
  readonly #stepMs: number;
  readonly #lease: Lease;
  readonly #loop: Loop;

  /** `name` is that of the lease; `tickMs` the pause after a round. */
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

  /** One round, whoever has the lease. */
  look(): Promise<boolean> {
    return this.#take(this.steps());
  }

  protected get signal(): AbortSignal {
    return this.#loop.signal;
  }

  /** Of one round, each answers true where it found something to do; none where there is nothing to look at yet. */
  protected abstract steps(): Step[];

  /** A step that fails does not keep the others from their turn. */
  #take(steps: readonly Step[]): Promise<boolean> {
    return takeSteps(steps, { ms: this.#stepMs, signal: this.signal });
  }
}
