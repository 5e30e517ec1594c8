import { PRICE_HONOURED_MS } from '@archive/contracts';
import type { Collection, Db, ObjectId } from 'mongodb';

interface PriceDocument {
  _id?: ObjectId;
  mint: string;
  /** An integer as a string. */
  baseUnits: string;
  from: Date;
  /** Set by an operator instead of the settings. */
  isSet?: boolean;
}

/** The history of prices. */
export class PriceStore {
  readonly #prices: Collection<PriceDocument>;

  constructor(db: Db) {
    this.#prices = db.collection<PriceDocument>('feature_prices');
  }

  /** Stores the configured price if it has changed, unless an operator's price is in force. */
  async record(mint: string, baseUnits: bigint, now: Date): Promise<void> {
    const latest = await this.#prices.findOne({}, { sort: { from: -1 } });
    if (latest?.mint === mint && latest.isSet) return;
    if (latest?.mint !== mint || latest.baseUnits !== String(baseUnits)) {
      await this.#prices.insertOne({ mint, baseUnits: String(baseUnits), from: now });
    }
  }

  async set(mint: string, baseUnits: bigint, { isSet, now }: { isSet: boolean; now: Date }): Promise<void> {
    await this.#prices.insertOne({ mint, baseUnits: String(baseUnits), from: now, ...(isSet && { isSet }) });
  }

  /** The current price; null if there never was one. */
  inForce(mint: string): Promise<PriceDocument | null> {
    return this.#prices.findOne({ mint }, { sort: { from: -1 } });
  }

  /** The only token that was ever accepted; null if there were several or none. */
  async onlyMint(): Promise<string | null> {
    const mints = await this.#prices.distinct('mint');
    return mints.length === 1 ? (mints[0] as string) : null;
  }

  /** The lowest price in force during the grace period before `time`; null if there was no price by then. */
  async lowestAt(mint: string, time: Date): Promise<bigint | null> {
    const since = new Date(time.getTime() - PRICE_HONOURED_MS);
    const [standing, changes] = await Promise.all([
      this.#prices.findOne({ mint, from: { $lte: since } }, { sort: { from: -1 } }),
      this.#prices.find({ mint, from: { $gt: since, $lte: time } }).toArray(),
    ]);
    const prices = [...(standing ? [standing] : []), ...changes].map(({ baseUnits }) => BigInt(baseUnits));
    return prices.sort((a, b) => (a < b ? -1 : 1))[0] ?? null;
  }
}
