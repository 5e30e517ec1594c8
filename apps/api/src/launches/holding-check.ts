const REMEMBERED_MS = 15_000;
const MAX_REMEMBERED = 10_000;
/** Reads in a second for page views, over all wallets. */
const MAX_READS = 20;

type Read = () => Promise<boolean>;

/** Caches whether wallets hold enough tokens, since each post that a user views asks for it. */
export class HoldingCheck {
  readonly #known = new Map<string, { answer: Promise<boolean>; until: number }>();
  readonly #now: () => number;
  #reads = { second: 0, count: 0 };

  /**
   * `now` is a monotonic clock in milliseconds. With a clock that can be set back, an answer would stay valid too long.
   */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Returns a recent answer, or reads one now. Above the limit it answers true, since the launch checks again. */
  recent(wallet: string, read: Read): Promise<boolean> {
    const known = this.#known.get(wallet);
    if (known && known.until > this.#now()) return known.answer;
    const second = Math.floor(this.#now() / 1_000);
    if (this.#reads.second !== second) this.#reads = { second, count: 0 };
    return ++this.#reads.count > MAX_READS ? Promise.resolve(true) : this.fresh(wallet, read);
  }

  /** Always reads the chain. */
  fresh(wallet: string, read: Read): Promise<boolean> {
    const entry = { answer: read(), until: this.#now() + REMEMBERED_MS };
    const forget = () => this.#known.get(wallet) === entry && this.#known.delete(wallet);
    entry.answer.catch(forget);
    this.#known.delete(wallet);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MAX_REMEMBERED) this.#known.delete(oldest);
    this.#known.set(wallet, entry);
    return entry.answer;
  }
}
