import { SourceTrouble } from './source.ts';

/** The cost of a call: the number of charged posts, and their price in thousandths of a US cent. */
export interface Cost {
  reads: number;
  milliCents: number;
}

/**
 * The daily budget of a platform that charges for reads. `payer` is the one who asked; without a payer the archive
 * reads for itself, which is only mentions. Looks at kept posts are charged to `LOOKS`.
 */
export interface Spending {
  /**
   * `most`: the most posts that the call may read.
   *
   * @throws SourceTrouble until the next day, if all reads of the day are spent; `ShareSpent` if those of the payer are
   */
  requireReads(payer?: string, most?: number): Promise<void>;
  spend(cost: Cost, payer?: string): Promise<void>;
}

/** Payer of looks at kept posts. */
export const LOOKS = 'looks';

/** The day's reads of one payer, or of all payers, are spent. The archive's own reads are still possible. */
export class ShareSpent extends SourceTrouble {}
