import { withTimeout } from '../with-timeout.ts';

/** Work in rounds. A round returns whether it found something to do; more may then be due. */
export interface Rounds {
  look(): Promise<boolean>;
}

/** Repeats rounds until none finds work, without pauses; used by tests. */
export async function runUntilEmpty(...all: readonly Rounds[]): Promise<void> {
  for (let isFound = true; isFound; ) {
    isFound = false;
    for (const one of all) if (await one.look()) isFound = true;
  }
}

/** Repeats work with a pause after each round, until stopped. A failed round is reported, and the next one follows. */
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

  /** Runs one round, independent of the loop. */
  async look(): Promise<boolean> {
    return (await this.#options.work()) === true;
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { pauseMs, work, onFailure, woken } = this.#options;
    while (!this.signal.aborted) {
      // Read before the work, so that a wake-up during the work ends the next pause.
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
  /** Returns true if it found something to do. */
  work: () => Promise<unknown>;
  onFailure: (error: unknown) => void;
  /** Aborted to end the current or next pause. */
  woken?: () => AbortSignal;
}

/**
 * Runs each step in turn. A step that fails or exceeds the time limit does not stop the following ones. Returns whether
 * any step returned true.
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

/** Waits for `ms`, or until the signal is aborted. */
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
