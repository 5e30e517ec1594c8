import { AppError } from '../app-error.ts';

/** Who asks: work of those who used little stands before that of those who used much. */
export interface Asker {
  /** An address prefix, or the name of some work of our own. */
  who: string;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
}

/** Questions that may wait: of one asker, and of all. */
const WAITING_OF_ONE = 40;
const WAITING = 256;
/** Nobody waits longer; who would, by what questions take just now, is refused at once. */
const LONGEST_WAIT_MS = 2_000;
/** What somebody used counts half after so long. */
const HALF_LIFE_MS = 2_000;
/** What the average is believed to be before there is one, in milliseconds, and the weight of each question in it. */
const FIRST_COST_MS = 5;
const WEIGHT = 0.05;

/** Asks a worker; null: it has done a part, and goes on when asked again. */
type Question<Worker, Answer> = (worker: Worker) => Promise<Answer | null>;

interface Waiting<Worker> {
  question: Question<Worker, unknown>;
  asker: Asker;
  since: number;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

interface Used {
  ms: number;
  at: number;
}

/**
 * Questions on their way to a few workers: bounded, fair by cost, and dropped when nobody waits for them. Whatever one
 * address asks, another's question waits for no more than the one under way.
 */
export class QuestionQueue<Worker> {
  readonly #idle: Worker[];
  readonly #workers: number;
  readonly #lines = new Map<string, Waiting<Worker>[]>();
  readonly #used = new Map<string, Used>();
  #waiting = 0;
  #averageMs = FIRST_COST_MS;

  constructor(workers: readonly Worker[]) {
    this.#idle = [...workers];
    this.#workers = workers.length;
  }

  /** @throws AppError overloaded where it would wait too long; the signal's reason where nobody waits any more. */
  ask<Answer>(question: Question<Worker, Answer>, asker: Asker): Promise<Answer> {
    asker.signal?.throwIfAborted();
    const line = this.#lines.get(asker.who) ?? [];
    if (this.#isFull(asker.who, line.length)) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Worker> = { question, asker, since: performance.now(), resolve: resolve as never, reject };
      asker.signal?.addEventListener('abort', () => this.#drop(waiting), { once: true });
      this.#join(waiting);
      this.#next();
    });
  }

  /** Who has used less than others passes them, so only those before it in fact keep it waiting. */
  #isFull(who: string, own: number): boolean {
    if (own >= WAITING_OF_ONE || this.#waiting >= WAITING) return true;
    const mine = this.#usedBy(who);
    let before = 0;
    for (const [other, line] of this.#lines) if (other === who || this.#usedBy(other) <= mine) before += line.length;
    return (before * this.#averageMs) / this.#workers > LONGEST_WAIT_MS;
  }

  #join(waiting: Waiting<Worker>): void {
    const { who } = waiting.asker;
    const line = this.#lines.get(who);
    if (line) line.push(waiting);
    else this.#lines.set(who, [waiting]);
    this.#waiting++;
  }

  #drop(waiting: Waiting<Worker>): void {
    const line = this.#lines.get(waiting.asker.who);
    const at = line?.indexOf(waiting) ?? -1;
    if (at !== -1) this.#leave(waiting.asker.who, at);
    waiting.reject(waiting.asker.signal?.reason);
  }

  #leave(who: string, at: number): Waiting<Worker> | undefined {
    const line = this.#lines.get(who);
    const [left] = line?.splice(at, 1) ?? [];
    if (left) this.#waiting--;
    if (line?.length === 0) this.#lines.delete(who);
    return left;
  }

  #next(): void {
    while (this.#idle.length > 0 && this.#waiting > 0) {
      const waiting = this.#leave(this.#mostDeserving(), 0);
      const worker = this.#idle.shift();
      if (!waiting || !worker) return;
      if (performance.now() - waiting.since > LONGEST_WAIT_MS) {
        waiting.reject(overloaded());
        this.#idle.push(worker);
      } else void this.#run(waiting, worker);
    }
  }

  async #run(waiting: Waiting<Worker>, worker: Worker): Promise<void> {
    const { asker, question } = waiting;
    const startedAt = performance.now();
    try {
      const answer = await question(worker);
      this.#spend(asker.who, performance.now() - startedAt);
      if (answer !== null) waiting.resolve(answer);
      else if (!asker.signal?.aborted) this.#join({ ...waiting, since: performance.now() });
    } catch (error) {
      waiting.reject(error);
    }
    this.#idle.push(worker);
    this.#next();
  }

  #mostDeserving(): string {
    let best = '';
    let least = Number.POSITIVE_INFINITY;
    for (const who of this.#lines.keys()) {
      const used = this.#usedBy(who);
      if (used < least) [best, least] = [who, used];
    }
    return best;
  }

  #usedBy(who: string): number {
    const used = this.#used.get(who);
    return used ? used.ms * 0.5 ** ((performance.now() - used.at) / HALF_LIFE_MS) : 0;
  }

  #spend(who: string, ms: number): void {
    this.#averageMs += (ms - this.#averageMs) * WEIGHT;
    const now = performance.now();
    const used = { ms: this.#usedBy(who) + ms, at: now };
    // To the end, so that the first are the oldest.
    this.#used.delete(who);
    this.#used.set(who, used);
    // The oldest have used nothing to speak of by now.
    for (const [other, { at }] of this.#used) {
      if (now - at < HALF_LIFE_MS * 10) break;
      this.#used.delete(other);
    }
  }
}

function overloaded(): AppError {
  return new AppError('overloaded', 'The archive has more to do than it can right now. Please try again in a moment.', {
    headers: { 'Retry-After': '1' },
  });
}
