import { type Rounds, runUntilEmpty } from './loop.ts';

/** A task that runs beside the requests, or a resource that is open while they run. */
export interface Service extends Partial<Rounds> {
  start?(): Promise<void> | void;
  stop(): Promise<void> | void;
}

/** The tasks beside the requests; each feature adds its own. */
export class Background {
  readonly #services: Service[] = [];
  #isStopped = false;
  /** True while the process still answers but wants no new requests; `/ready` reports it. */
  isEnding = false;

  add(...services: Service[]): void {
    this.#services.push(...services);
  }

  /** Starts all services in the order in which they were added. */
  async start(): Promise<void> {
    for (const service of this.#services) if (!this.#isStopped) await service.start?.();
  }

  /** Does all due work now, for a process that was not started. */
  async runUntilEmpty(): Promise<void> {
    await runUntilEmpty(...this.#services.filter((service): service is Service & Rounds => 'look' in service));
  }

  /** Stops in reverse order, so that a service stops before those that it depends on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const service of this.#services.toReversed()) await service.stop();
  }
}
