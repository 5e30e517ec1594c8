import { withTimeout } from '../with-timeout.ts';

/** Work in rounds; a round answers whether it found something to do, so that more may be due by now. */
export interface Rounds {
  look(): Promise<boolean>;
}

/** Rounds one after another until one finds nothing to do: for who waits for no clock, as tests do. */
export async function runUntilEmpty(...all: readonly Rounds[]): Promise<void> {
  for (let isFound = true; isFound; ) {
    isFound = false;
    for (const one of all) if (await one.look()) isFound = true;
  }
}

/**
 * Work that is done again and again, a pause after each round, until stopped. A round that fails is told of, and the next
 * one comes all the same.
 */
export class Loop {
  readonly #options: LoopOptions;
  readonly #stopped = new AbortController();
  #isStarted = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** @throws Error where it was started before: two would work beside each other. */
  start(): void {
    if (this.#isStarted) throw new Error('started before');
    this.#isStarted = true;
    this.#running = this.#run();
  }

  /** One round, beside those of the loop where it runs. */
  async look(): Promise<boolean> {
    return (await this.#options.work()) === true;
  }

  /** Resolves when the round under way has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { pauseMs, work, onFailure, woken } = this.#options;
    while (!this.signal.aborted) {
      // Asked before the work: what wakes it meanwhile is not slept through.
      const wake = woken?.();
      try {
        await work();
      } catch (error) {
        if (!this.signal.aborted) onFailure(error);
      }
      await pause(pauseMs, wake ? AbortSignal.any([this.signal, wake]) : this.signal);
    }
  }
}

interface LoopOptions {
  pauseMs: number;
  /** Answers true where it found something to do. */
  work: () => Promise<unknown>;
  onFailure: (error: unknown) => void;
  /** Aborted to end the pause that is or comes next. */
  woken?: () => AbortSignal;
}

/**
 * Each step in turn; one that fails, or does not end in time, does not keep the others from theirs. True where one of them
 * answered that.
 */
export async function takeSteps(
  steps: readonly (() => Promise<unknown>)[],
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<boolean> {
  const failures: unknown[] = [];
  let isFound = false;
  for (const step of steps) {
    if (signal.aborted) return isFound;
    try {
      if ((await withTimeout(step(), ms, () => new Error('a step did not end in time'))) === true) isFound = true;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return isFound;
}

/** A time to wait, cut short by the signal. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
