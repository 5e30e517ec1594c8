import { EXPORTS_AT_ONCE } from '@archive/contracts';
import { AppError } from '../app-error.ts';

/** The exports under way in this process: a few, and one of an address. */
export class ExportSlots {
  readonly #taken = new Set<string>();

  /** @throws AppError rate_limited where the address has one under way, or as many as allowed are. */
  async run(who: string, work: () => Promise<void>): Promise<void> {
    if (this.#taken.has(who)) throw refused('Your last export is still under way. Please try again when it has ended.');
    if (this.#taken.size >= EXPORTS_AT_ONCE) {
      throw refused('Too many exports are under way. Please try again in a moment.');
    }
    this.#taken.add(who);
    try {
      await work();
    } finally {
      this.#taken.delete(who);
    }
  }
}

function refused(sentence: string): AppError {
  return new AppError('rate_limited', sentence, { headers: { 'Retry-After': '10' } });
}
