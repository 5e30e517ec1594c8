const REMEMBERED_MS = 15_000;
const MAX_REMEMBERED = 10_000;
/** Questions a second of those who only look, of all of them together. */
const MAX_READS = 20;

type Read = () => Promise<boolean>;

/** Whether wallets hold enough, as it was a moment ago: whoever looks at posts asks with each of them. */
export class HoldingCheck {
  readonly #known = new Map<string, { answer: Promise<boolean>; until: number }>();
  readonly #now: () => number;
  #reads = { second: 0, count: 0 };

  /** `now` is a time that only goes forward: an answer would hold for as long as a clock was set back. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** What was read of this wallet lately, else what is read now; where too many ask, the launch itself will tell. */
  recent(wallet: string, read: Read): Promise<boolean> {
    const known = this.#known.get(wallet);
    if (known && known.until > this.#now()) return known.answer;
    const second = Math.floor(this.#now() / 1_000);
    if (this.#reads.second !== second) this.#reads = { second, count: 0 };
    return ++this.#reads.count > MAX_READS ? Promise.resolve(true) : this.fresh(wallet, read);
  }

  /** What is read now. */
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
