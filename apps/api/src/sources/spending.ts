/** What a call costs: posts that are charged for, and their price in thousandths of a US cent. */
export interface Cost {
  reads: number;
  milliCents: number;
}

/** What may be spent of a day at a platform that charges. */
export interface Spending {
  /** @throws SourceTrouble until the next day, where this one's reads are spent */
  requireReads(): Promise<void>;
  spend(cost: Cost): Promise<void>;
}
