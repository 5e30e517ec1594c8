import { AppError } from '../app-error.ts';

/** One export takes most of a core; more than a few at once would starve everybody. */
const EXPORTS_AT_ONCE = 3;

/** The exports under way in this process. */
export class ExportSlots {
  #taken = 0;

  /** @throws AppError rate_limited where as many as allowed are under way. */
  async run(work: () => Promise<void>): Promise<void> {
    if (this.#taken >= EXPORTS_AT_ONCE) {
      throw new AppError('rate_limited', 'Too many exports are under way. Please try again in a moment.', {
        headers: { 'Retry-After': '10' },
      });
    }
    this.#taken++;
    try {
      await work();
    } finally {
      this.#taken--;
    }
  }
}
