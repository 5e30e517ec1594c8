import { AppError } from '../app-error.ts';
import { tell } from '../channels.ts';

/** Who asks: work of those who used little stands before that of those who used much. */
export interface Asker {
  /** An address prefix, or the name of some work of our own. */
  who: string;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Work that must be done whatever else there is to do: one at a time, and never refused. */
  isOurs?: true;
}

/** Questions that may wait: of one asker, and of all. */
const WAITING_OF_ONE = 40;
const WAITING = 256;
/** What is done in parts is given up after so long. */
export const LONGEST_WORK_MS = 10_000;
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
  /** The worker that has done a part of it, and alone can go on. */
  worker?: Worker;
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
    if (!asker.isOurs && !this.#hasRoom(asker.who, line.length)) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Worker> = { question, asker, since: performance.now(), resolve: resolve as never, reject };
      asker.signal?.addEventListener('abort', () => this.#drop(waiting), { once: true });
      this.#join(waiting);
      this.#next();
    });
  }

  /** Who has used less than others passes them, so only those before it in fact keep it waiting. */
  #hasRoom(who: string, own: number): boolean {
    if (own >= WAITING_OF_ONE) return false;
    const mine = this.#usedBy(who);
    let before = 0;
    for (const [other, line] of this.#lines) if (other === who || this.#usedBy(other) <= mine) before += line.length;
    if ((before * this.#averageMs) / this.#workers > LONGEST_WAIT_MS) return false;
    return this.#waiting < WAITING || this.#refuseGreediest(who, own);
  }

  /** Of a full room the last question of whoever has the longest line goes, if that is longer than the newcomer's. */
  #refuseGreediest(who: string, own: number): boolean {
    const [greediest, line] = [...this.#lines].reduce((one, other) => (other[1].length > one[1].length ? other : one));
    if (greediest === who || line.length <= own + 1) return false;
    this.#leave(greediest, line.length - 1)?.reject(overloaded());
    return true;
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
    for (const worker of [...this.#idle]) {
      const waiting = this.#takeFor(worker);
      if (!waiting) continue;
      this.#idle.splice(this.#idle.indexOf(worker), 1);
      void this.#run(waiting, worker);
    }
  }

  /** The next question that this worker may answer; those that have waited too long are refused on the way. */
  #takeFor(worker: Worker): Waiting<Worker> | undefined {
    for (const who of this.#byUse()) {
      const line = this.#lines.get(who) ?? [];
      for (let at = 0; at < line.length; ) {
        const waiting = line[at] as Waiting<Worker>;
        if (waiting.worker !== undefined && waiting.worker !== worker) at++;
        else {
          this.#leave(who, at);
          const longest = waiting.worker === undefined ? LONGEST_WAIT_MS : LONGEST_WORK_MS;
          if (waiting.asker.isOurs || performance.now() - waiting.since <= longest) return waiting;
          waiting.reject(overloaded());
        }
      }
    }
    return undefined;
  }

  async #run(waiting: Waiting<Worker>, worker: Worker): Promise<void> {
    const { asker, question } = waiting;
    const startedAt = performance.now();
    if (waiting.worker === undefined) tell('wait', { ms: startedAt - waiting.since });
    try {
      const answer = await question(worker);
      this.#spend(asker.who, performance.now() - startedAt);
      if (answer !== null) waiting.resolve(answer);
      else if (!asker.signal?.aborted) {
        waiting.worker = worker;
        this.#join(waiting);
      }
    } catch (error) {
      waiting.reject(error);
    }
    this.#idle.push(worker);
    this.#next();
  }

  #byUse(): string[] {
    return [...this.#lines.keys()]
      .map((who) => ({ who, used: this.#usedBy(who) }))
      .sort((one, other) => one.used - other.used)
      .map(({ who }) => who);
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
