import { Worker } from 'node:worker_threads';
import type { OperationName, Operations, Reply, Request, WorkerOptions } from './messages.ts';

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
  onAhead?: ((oids: Uint8Array[]) => void) | undefined;
}

/** One worker thread and the pending calls to it. */
export class Thread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  /** Rejects if the thread ends by itself. */
  readonly failure: Promise<never>;
  #rejectFailure: (error: Error) => void = () => {};
  #calls = 0;
  #underWay = 0;
  #isLast = false;
  #failure: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.failure = new Promise((_, reject) => {
      this.#rejectFailure = reject;
    });
    // Not every caller listens; an unheard rejection must not end the process.
    this.failure.catch(() => {});
    worker.on('message', (reply: Reply) => this.#settle(reply));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('the archive index thread has ended')));
  }

  static start(script: URL | string, options: WorkerOptions): Promise<Thread> {
    const worker = new Worker(script, {
      workerData: options,
      // An exporter only passes ids on, so it needs little memory.
      ...(options.role === 'exporter'
        ? { resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 } }
        : {}),
    });
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', () => {
        worker.off('error', reject);
        resolve(new Thread(worker));
      });
    });
  }

  /** Calls an operation that answers in one turn. */
  async call<N extends OperationName>(name: N, input: Operations[N]['input']): Promise<Operations[N]['output']> {
    const { value } = await this.ask(name, input).next();
    return value as Operations[N]['output'];
  }

  /** Calls an operation that answers in turns. Each step of the generator requests the next turn. */
  async *ask<N extends OperationName>(
    name: N,
    input: Operations[N]['input'],
    onAhead?: Pending['onAhead'],
  ): AsyncGenerator<void, Operations[N]['output'], void> {
    const call = ++this.#calls;
    let isUnderWay = false;
    this.#underWay++;
    try {
      for (let request: Request = { call, name, input }; ; request = { call, step: 'go on' }) {
        const answer = await this.#send(request, onAhead);
        isUnderWay = answer === null;
        if (answer) return answer[0] as Operations[N]['output'];
        yield;
      }
    } finally {
      if (isUnderWay) this.#worker.postMessage({ call, step: 'drop' } satisfies Request);
      this.#endOne();
    }
  }

  /** Resolves with the output, or with null if only a turn has ended. */
  #send(request: Request, onAhead?: Pending['onAhead']): Promise<[output: unknown] | null> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#pending.set(request.call, { resolve: resolve as (value: unknown) => void, reject, onAhead });
      this.#worker.postMessage(request);
    });
  }

  /** `reason` is the error of pending and later calls. */
  async end(reason?: Error): Promise<void> {
    this.#failure ??= reason;
    this.#rejectFailure = () => {};
    await this.#worker.terminate();
  }

  /** Ends the thread once no call is pending. */
  endAfterAll(): void {
    this.#isLast = true;
    if (this.#underWay === 0) void this.end();
  }

  #endOne(): void {
    this.#underWay--;
    if (this.#isLast) this.endAfterAll();
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.call);
    if ('ahead' in reply) {
      pending?.onAhead?.(reply.ahead);
      return;
    }
    this.#pending.delete(reply.call);
    if ('more' in reply) {
      pending?.resolve(null);
      return;
    }
    if ('output' in reply) {
      pending?.resolve([reply.output]);
      return;
    }
    const error = new Error(reply.error.message);
    if (reply.error.stack) error.stack = reply.error.stack;
    pending?.reject(error);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#rejectFailure(this.#failure);
    for (const pending of this.#pending.values()) pending.reject(this.#failure);
    this.#pending.clear();
  }
}
