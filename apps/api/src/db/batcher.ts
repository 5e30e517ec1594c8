import { setTimeout as delay } from 'node:timers/promises';
import { MongoOperationTimeoutError } from 'mongodb';
import { withTimeout } from '../with-timeout.ts';

const GATHER_MS = 2;
/** A database killed during an answer can leave the driver waiting beyond its own limits. */
const GIVE_UP_MS = 5_000;

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects the items that arrive during one batch into the next database query. A single item is sent at once; under
 * load, many items share a round trip. `run` returns answers in the order of its items; an `Error` among them rejects
 * only its own item.
 */
export class Batcher<Item, Answer> {
  readonly #run: (items: Item[]) => Promise<(Answer | Error)[]>;
  readonly #limit: number;
  readonly #giveUpMs: number;
  #waiting: Waiting<Item, Answer>[] = [];
  #isRunning = false;

  constructor(
    run: (items: Item[]) => Promise<(Answer | Error)[]>,
    options: { limit?: number; giveUpMs?: number } = {},
  ) {
    this.#run = run;
    this.#limit = options.limit ?? 500;
    this.#giveUpMs = options.giveUpMs ?? GIVE_UP_MS;
  }

  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // If several items are waiting, more usually follow, and a round trip costs more than this pause.
      if (this.#waiting.length > 1) await delay(GATHER_MS);
      const batch = this.#waiting.splice(0, this.#limit);
      try {
        // Later items must not wait for ever behind a batch that never ends.
        const answers = await withTimeout(this.#run(batch.map(({ item }) => item)), this.#giveUpMs, late);
        for (const [index, { resolve, reject }] of batch.entries()) {
          const answer = answers[index];
          if (answer instanceof Error) reject(answer);
          else resolve(answer as Answer);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}

function late(): Error {
  return new MongoOperationTimeoutError('the database did not answer');
}
