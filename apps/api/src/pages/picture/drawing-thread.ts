import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Card } from './card.ts';

type Answer = { png: Uint8Array; unread: string[] } | { error: string };

/** Draws one card at a time in a thread of its own, which begins with the first one. */
export class DrawingThread {
  readonly #script: URL | string;
  readonly #log: Pick<Logger, 'warn'>;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** `script`: the built one of `draw-thread.ts`. */
  constructor(script: URL | string, log: Pick<Logger, 'warn'>) {
    this.#script = script;
    this.#log = log;
  }

  /** The picture as PNG. */
  draw(card: Card): Promise<Buffer> {
    const drawn = this.#last.then(() => this.#draw(card));
    this.#last = drawn.catch(() => {});
    return drawn;
  }

  async #draw(card: Card): Promise<Buffer> {
    const worker = this.#worker ?? this.#begin();
    worker.postMessage(card);
    const [answer] = (await Promise.race([once(worker, 'message'), ended(worker)])) as [Answer];
    if ('error' in answer) throw new Error(`a picture could not be drawn: ${answer.error}`);
    if (answer.unread.length > 0) this.#log.warn({ unread: answer.unread }, 'a share picture lacks a picture');
    return Buffer.from(answer.png);
  }

  #begin(): Worker {
    const worker = new Worker(this.#script);
    // Nobody's end waits for it.
    worker.unref();
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    // Told to whoever waits for a picture; another one begins with the next.
    worker.on('error', () => {});
    this.#worker = worker;
    return worker;
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }
}

async function ended(worker: Worker): Promise<never> {
  await once(worker, 'exit');
  throw new Error('the thread that draws pictures has ended');
}
