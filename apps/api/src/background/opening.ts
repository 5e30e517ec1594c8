import type { AppError } from '../app-error.ts';

const RETRY_MS = 5_000;

interface Options<T> {
  /** What can be had from now on; null where the settings ask for nothing. */
  read(): Promise<T | null>;
  onOpen(value: T): Promise<void> | void;
  /** Answers whether looking again may help: a wrong setting stays wrong, a node may come back. */
  onFailure(error: unknown): boolean;
  /** Why nobody can have it; `cause` is the last failure, if any. */
  refuse(cause: unknown): AppError;
}

/** What can be had once nodes and settings check out, and not before; where they cannot be reached, they are looked at again. */
export class Opening<T> {
  readonly #options: Options<T>;
  #current: T | null = null;
  #failure: unknown;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: Options<T>) {
    this.#options = options;
  }

  get current(): T | null {
    return this.#current;
  }

  /** Null where it can be had. */
  get refusal(): AppError | null {
    return this.#current ? null : this.#options.refuse(this.#failure);
  }

  /** What can be had, or the refusal. */
  require(): T {
    if (this.#current) return this.#current;
    throw this.#options.refuse(this.#failure);
  }

  async start(): Promise<void> {
    if (this.#isStopped) return;
    try {
      this.#current = await this.#options.read();
      if (this.#current) await this.#options.onOpen(this.#current);
    } catch (error) {
      this.#failure = error;
      if (!this.#options.onFailure(error) || this.#isStopped) return;
      this.#timer = setTimeout(() => void this.start(), RETRY_MS);
      this.#timer.unref();
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
