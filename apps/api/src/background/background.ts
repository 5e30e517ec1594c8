import { type Rounds, runUntilEmpty } from './loop.ts';

/** Something that runs beside the requests, or is open as long as they come. */
export interface Service extends Partial<Rounds> {
  start?(): Promise<void> | void;
  stop(): Promise<void> | void;
}

/** What runs beside the requests: each feature adds its own. */
export class Background {
  readonly #services: Service[] = [];
  #isStopped = false;
  /** The process still answers, and wants nobody new: `/ready` says so. */
  isEnding = false;

  add(...services: Service[]): void {
    this.#services.push(...services);
  }

  /** One after another, in the order in which they were added. */
  async start(): Promise<void> {
    for (const service of this.#services) if (!this.#isStopped) await service.start?.();
  }

  /** All that would be done later by what has been added, now; for where it was not started. */
  async runUntilEmpty(): Promise<void> {
    await runUntilEmpty(...this.#services.filter((service): service is Service & Rounds => 'look' in service));
  }

  /** In reverse: what stands on another stops first. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const service of this.#services.toReversed()) await service.stop();
  }
}
