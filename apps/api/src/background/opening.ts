import type { AppError } from '../app-error.ts';

const RETRY_MS = 5_000;
const HELD_MS = 1_000;

interface Options<T> {
  /** Reads the value; null if the settings do not ask for it. */
  read(): Promise<T | null>;
  onOpen(value: T): Promise<void> | void;
  /** Returns whether another attempt may help: not for a wrong setting, but for an unreachable node. */
  onFailure(error: unknown): boolean;
  /** Whether the value stays closed for now; asked again until it does not. */
  isHeld?(): Promise<boolean>;
  /** The refusal for callers; `cause` is the last failure, if any. */
  refuse(cause: unknown): AppError;
}

/** A value that is available once nodes and settings are verified. If nodes cannot be reached, it tries again. */
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

  /** The value even while it is held closed, for work that must precede the opening. */
  get known(): T | null {
    return this.#known;
  }

  /** Null if the value is available. */
  get refusal(): AppError | null {
    return this.current ? null : this.#options.refuse(this.#failure);
  }

  /** The value; throws the refusal if it is not available. */
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
    // If the check fails, it stays closed.
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
