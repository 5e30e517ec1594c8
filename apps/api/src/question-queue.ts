import type { Work } from '@archive/search';
import { AppError } from './app-error.ts';
import { type Client, LEVELS, ownWork } from './clients.ts';

/** The client of a question. Clients that have used less come first. */
export interface Asker {
  client: Client;
  /** Aborted when no caller waits for the answer any more. */
  signal?: AbortSignal;
}

/** The asker for the archive's own comparison with the database. It has its own line and is never refused. */
export const OURS: Asker = { client: ownWork('the archive') };

/** Most waiting questions of one prefix, of one network, and in total. */
const WAITING = { prefix: 40, network: 64, all: 256 };
/** Longest time until a question with several turns is given up. */
const LONGEST_WORK_MS = 10_000;
/** Default of the longest wait. A question that would wait longer, by the recent average cost, is refused at once. */
const LONGEST_WAIT_MS = 2_000;
/** After this time, past use counts half. */
const HALF_LIFE_MS = 2_000;
/** Initial average cost of a question in milliseconds, and the weight of each question in the average. */
const FIRST_COST_MS = 5;
const WEIGHT = 0.05;

interface Waiting<Worker> {
  question: (worker: Worker) => Work<unknown>;
  asker: Asker;
  since: number;
  /** Work in progress, which only this worker can continue. */
  begun?: { worker: Worker; turns: AsyncGenerator<void, unknown, void> };
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

interface Used {
  ms: number;
  at: number;
}

/** The questions of one address, in their order. */
interface Line<Worker> {
  client: Client;
  questions: Waiting<Worker>[];
}

/**
 * A bounded queue of questions for a few workers. It is fair by cost, and drops questions whose callers have left. The
 * next question comes from the provider that has used least; within it from the network, the /56, the /64 and the
 * address that have used least. So however many questions come from one provider, a question from another waits only
 * for those in progress.
 */
export class QuestionQueue<Worker> {
  readonly #idle: Worker[];
  readonly #workers: number;
  readonly #longestWaitMs: number;
  readonly #onWait: (ms: number) => void;
  readonly #now: () => number;
  readonly #lines = new Map<string, Line<Worker>>();
  readonly #used = new Map<string, Used>();
  #averageMs = FIRST_COST_MS;

  constructor(
    workers: readonly Worker[],
    { longestWaitMs = LONGEST_WAIT_MS, onWait = (_ms: number): void => {}, now = () => performance.now() } = {},
  ) {
    this.#idle = [...workers];
    this.#workers = workers.length;
    this.#longestWaitMs = longestWaitMs;
    this.#onWait = onWait;
    this.#now = now;
  }

  /** @throws AppError overloaded if the question would wait too long; the signal's reason if the caller has left. */
  ask<Answer>(question: (worker: Worker) => Work<Answer>, asker: Asker): Promise<Answer> {
    asker.signal?.throwIfAborted();
    if (!isOurs(asker.client) && !this.#hasRoom(asker.client)) return Promise.reject(overloaded());
    // Removes the listener afterwards, since one signal may serve many thousands of questions.
    const ended = new AbortController();
    return new Promise<Answer>((resolve, reject) => {
      const waiting: Waiting<Worker> = { question, asker, since: this.#now(), resolve: resolve as never, reject };
      asker.signal?.addEventListener('abort', () => this.#drop(waiting), { once: true, signal: ended.signal });
      this.#join(waiting);
      this.#next();
    }).finally(() => ended.abort());
  }

  /**
   * Whether a new question can be admitted. Clients with less use overtake others, so only questions ahead of it count
   * as its wait.
   */
  #hasRoom(client: Client): boolean {
    const ofNetworks = new Map<string, number>();
    const now = this.#now();
    const mine = this.#usesOf(client, now);
    const others: { line: Line<Worker>; uses: number[] }[] = [];
    let [ofPrefix, before, all] = [0, 0, 0];
    for (const line of this.#lines.values()) {
      const { client: other, questions } = line;
      if (isOurs(other)) continue;
      const uses = this.#usesOf(other, now);
      others.push({ line, uses });
      all += questions.length;
      ofNetworks.set(other.network, (ofNetworks.get(other.network) ?? 0) + questions.length);
      if (other.prefix === client.prefix) ofPrefix += questions.length;
      if (compareUses(uses, mine) <= 0) before += questions.length;
    }
    const waitingOf = ({ network }: Client) => ofNetworks.get(network) ?? 0;
    const own = waitingOf(client);
    if (ofPrefix >= WAITING.prefix || own >= WAITING.network) return false;
    if ((before * this.#averageMs) / this.#workers > this.#longestWaitMs) return false;
    if (all < WAITING.all) return true;
    // If the queue is full, the last question is dropped, provided that the new one is ahead of it. At equal use, it is
    // one of the network with the most questions.
    const last = others.reduce((one, other) => {
      const byUse = compareUses(one.uses, other.uses) || waitingOf(one.line.client) - waitingOf(other.line.client);
      return (byUse || one.line.questions.length - other.line.questions.length) < 0 ? other : one;
    });
    if ((compareUses(mine, last.uses) || own + 1 - waitingOf(last.line.client)) >= 0) return false;
    const left = this.#leave(last.line.client, last.line.questions.length - 1);
    if (left) giveUp(left, overloaded());
    return true;
  }

  #join(waiting: Waiting<Worker>): void {
    const { client } = waiting.asker;
    const line = this.#lines.get(client.address);
    if (line) line.questions.push(waiting);
    else this.#lines.set(client.address, { client, questions: [waiting] });
  }

  #drop(waiting: Waiting<Worker>): void {
    const { client } = waiting.asker;
    const at = this.#lines.get(client.address)?.questions.indexOf(waiting) ?? -1;
    if (at !== -1) this.#leave(client, at);
    giveUp(waiting, waiting.asker.signal?.reason);
  }

  #leave({ address }: Client, at: number): Waiting<Worker> | undefined {
    const line = this.#lines.get(address);
    const [left] = line?.questions.splice(at, 1) ?? [];
    if (line?.questions.length === 0) this.#lines.delete(address);
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

  /** The next question for this worker. Questions that have waited too long are refused. */
  #takeFor(worker: Worker): Waiting<Worker> | undefined {
    for (const { client, questions } of this.#byUse()) {
      for (let at = 0; at < questions.length; ) {
        const waiting = questions[at] as Waiting<Worker>;
        if (waiting.begun && waiting.begun.worker !== worker) at++;
        else {
          this.#leave(client, at);
          const longest = waiting.begun ? LONGEST_WORK_MS : this.#longestWaitMs;
          if (isOurs(client) || this.#now() - waiting.since <= longest) return waiting;
          giveUp(waiting, overloaded());
        }
      }
    }
    return undefined;
  }

  async #run(waiting: Waiting<Worker>, worker: Worker): Promise<void> {
    const { asker, question, begun } = waiting;
    const startedAt = this.#now();
    if (!begun) this.#onWait(startedAt - waiting.since);
    try {
      const work = begun?.turns ?? question(worker);
      // A question that fails has also used the worker.
      const answering = 'next' in work ? work.next() : work.then((value) => ({ done: true, value }));
      const turn = await answering.finally(() => this.#spend(asker.client, this.#now() - startedAt));
      if (turn.done) waiting.resolve(turn.value);
      else {
        waiting.begun = { worker, turns: work as AsyncGenerator<void, unknown, void> };
        if (asker.signal?.aborted) giveUp(waiting, asker.signal.reason);
        else this.#join(waiting);
      }
    } catch (error) {
      waiting.reject(error);
    }
    this.#idle.push(worker);
    this.#next();
  }

  #byUse(): Line<Worker>[] {
    const now = this.#now();
    return [...this.#lines.values()]
      .map((line) => ({ line, uses: this.#usesOf(line.client, now) }))
      .sort((one, other) => compareUses(one.uses, other.uses))
      .map(({ line }) => line);
  }

  /** The use of the client's provider, network, /56, /64 and address. */
  #usesOf(client: Client, now: number): number[] {
    return LEVELS.map((level) => this.#usedBy(client[level], now));
  }

  #usedBy(key: string, now: number): number {
    const used = this.#used.get(key);
    return used ? used.ms * 0.5 ** ((now - used.at) / HALF_LIFE_MS) : 0;
  }

  #spend(client: Client, ms: number): void {
    this.#averageMs += (ms - this.#averageMs) * WEIGHT;
    const now = this.#now();
    for (const key of new Set(LEVELS.map((level) => client[level]))) {
      const used = { ms: this.#usedBy(key, now) + ms, at: now };
      // Re-inserted, so that the map is ordered by age.
      this.#used.delete(key);
      this.#used.set(key, used);
    }
    // The use of the oldest entries has decayed to almost nothing.
    for (const [other, { at }] of this.#used) {
      if (now - at < HALF_LIFE_MS * 10) break;
      this.#used.delete(other);
    }
  }
}

/** Compares by the provider's use, then the network's, and so on. Negative if the first one comes first. */
function compareUses(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((used, level) => used !== other[level]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function giveUp<Worker>({ begun, reject }: Waiting<Worker>, reason: unknown): void {
  reject(reason);
  void begun?.turns.return(undefined);
}

function isOurs(client: Client): boolean {
  return client === OURS.client;
}

function overloaded(): AppError {
  return new AppError('overloaded', 'The archive has more to do than it can right now. Please try again in a moment.', {
    headers: { 'Retry-After': '1' },
  });
}
