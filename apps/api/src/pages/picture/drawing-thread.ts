import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Card } from './card.ts';

type Answer = { png: Uint8Array; unread: string[] } | { error: string };

/** Draws one card at a time in a separate thread, which starts with the first card. */
export class DrawingThread {
  readonly #script: URL | string;
  readonly #log: Pick<Logger, 'warn'>;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** `script` is the built script of `draw-thread.ts`. */
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
    // The thread does not keep the process alive.
    worker.unref();
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    // The caller that waits for a picture gets the error; the next picture starts a new thread.
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
