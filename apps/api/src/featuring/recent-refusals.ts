import type { Refusal } from '@archive/solana/verify';

/** Shorter than finality takes, so that a payment in another fork is still noticed. */
const REMEMBERED_MS = 10_000;
const MAX_REMEMBERED = 10_000;

/** Remembers for a moment which transactions are no payments, so that repeated reports do not fetch them again. */
export class RecentRefusals {
  /** By a monotonic clock, since the system clock may be set back. */
  readonly #known = new Map<string, { refusal: Refusal; until: number }>();

  of(signature: string): Refusal | null {
    const known = this.#known.get(signature);
    return known && known.until > performance.now() ? known.refusal : null;
  }

  keep(signature: string, refusal: Refusal): void {
    this.#known.delete(signature);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MAX_REMEMBERED) this.#known.delete(oldest);
    this.#known.set(signature, { refusal, until: performance.now() + REMEMBERED_MS });
  }
}
