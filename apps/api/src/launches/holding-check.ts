const REMEMBERED_MS = 15_000;
const MAX_REMEMBERED = 10_000;

type Read = () => Promise<boolean>;

/** Whether wallets hold enough, as it was a moment ago: whoever looks at posts asks with each of them. */
export class HoldingCheck {
  readonly #known = new Map<string, { answer: Promise<boolean>; until: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What was read of this wallet lately, or is being read, else what is read now. */
  recent(wallet: string, read: Read): Promise<boolean> {
    const known = this.#known.get(wallet);
    return known && known.until > this.#now() ? known.answer : this.fresh(wallet, read);
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
