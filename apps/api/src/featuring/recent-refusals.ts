import type { Refusal } from '@archive/solana/verify';

/** Less than the chain needs to be final, so that what another fork says is seen. */
const REMEMBERED_MS = 10_000;
const MAX_REMEMBERED = 10_000;

/** Transactions that are no payments, for a moment: nobody need fetch them for each who says otherwise. */
export class RecentRefusals {
  /** Until when, by this process's running time: clocks can be set back. */
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
