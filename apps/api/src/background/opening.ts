import type { AppError } from '../app-error.ts';

const RETRY_MS = 5_000;
const HELD_MS = 1_000;

interface Options<T> {
  /** What can be had from now on; null where the settings ask for nothing. */
  read(): Promise<T | null>;
  onOpen(value: T): Promise<void> | void;
  /** Answers whether looking again may help: a wrong setting stays wrong, a node may come back. */
  onFailure(error: unknown): boolean;
  /** Whether it is kept closed for now all the same; asked again until it is not. */
  isHeld?(): Promise<boolean>;
  /** Why nobody can have it; `cause` is the last failure, if any. */
  refuse(cause: unknown): AppError;
}

/** What can be had once nodes and settings check out, and not before; where they cannot be reached, they are looked at again. */
export class Opening<T> {
  readonly #options: Options<T>;
  #known: T | null = null;
  #isHeld = false;
  #failure: unknown;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: Options<T>) {
    this.#options = options;
  }

  get current(): T | null {
    return this.#isHeld ? null : this.#known;
  }

  /** The same also where it is held: for what must be done before it is open. */
  get known(): T | null {
    return this.#known;
  }

  /** Null where it can be had. */
  get refusal(): AppError | null {
    return this.current ? null : this.#options.refuse(this.#failure);
  }

  /** What can be had, or the refusal. */
  require(): T {
    if (this.current) return this.current;
    throw this.#options.refuse(this.#failure);
  }

  async start(): Promise<void> {
    if (this.#isStopped) return;
    try {
      const value = await this.#options.read();
      this.#isHeld = (await this.#options.isHeld?.()) ?? false;
      this.#known = value;
      if (this.#isHeld) this.#again(HELD_MS, () => this.#release());
      if (value) await this.#options.onOpen(value);
    } catch (error) {
      this.#failure = error;
      if (!this.#options.onFailure(error) || this.#isStopped) return;
      this.#again(RETRY_MS, () => this.start());
    }
  }

  async #release(): Promise<void> {
    // Where nobody can tell, it stays as it is.
    this.#isHeld = (await this.#options.isHeld?.().catch(() => true)) ?? false;
    if (this.#isHeld) this.#again(HELD_MS, () => this.#release());
  }

  #again(ms: number, work: () => Promise<void>): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void work(), ms);
    this.#timer.unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
