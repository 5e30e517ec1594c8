import { SourceTrouble } from './source.ts';

/** What a call costs: posts that are charged for, and their price in thousandths of a US cent. */
export interface Cost {
  reads: number;
  milliCents: number;
}

/**
 * What may be spent of a day at a platform that charges. `payer` is who asked for what is read; without one the archive reads
 * for itself: mentions. What became of posts is paid by `LOOKS`.
 */
export interface Spending {
  /** `most`: as many as may be read. @throws SourceTrouble until the next day, where this one's reads are spent; `ShareSpent` where those of the payer are */
  requireReads(payer?: string, most?: number): Promise<void>;
  spend(cost: Cost, payer?: string): Promise<void>;
}

/** Who pays where kept posts are looked at again. */
export const LOOKS = 'looks';

/** The day's reads of one who asks, or of all who ask, are spent; those that the archive needs for itself are not. */
export class ShareSpent extends SourceTrouble {}
