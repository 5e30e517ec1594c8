import type { Base } from '../base.ts';
import { tell } from '../channels.ts';
import { isDuplicateKey } from '../db/database.ts';
import type { Media } from '../media/media.ts';
import type { SaveDocument } from './save-document.ts';

/** Of the day's bytes, what one asker or one network may use. */
const PAYER_PART = 1 / 16;

type Found = Awaited<ReturnType<Media['fetch']>>;

/** Fetches a file of at most `maxBytes`, where those who pay have so many left of the day. */
export type Pay = (maxBytes: number, fetch: Fetch) => Promise<Found>;
type Fetch = (maxBytes: number, onBytes: (count: number) => void) => Promise<Found>;

interface MediaDay {
  /** `media`, and the UTC day. */
  _id: string;
  /** Fetched, or reserved for what is being fetched. */
  bytes: number;
  /** The same by payer, under the codes of `mediaPayers`. */
  of: Record<string, number>;
}

/** Codes of the asker and the network that pay for a request's media. None: the archive pays, and has no limit. */
export function mediaPayers(
  { audit, config }: Pick<Base, 'audit' | 'config'>,
  { askedBy, network }: Pick<SaveDocument, 'askedBy' | 'network'>,
): string[] {
  if (!config.rateLimits || askedBy.kind === 'operator') return [];
  const payers = [`${askedBy.kind} ${askedBy.id}`, ...(network === undefined ? [] : [`network ${network}`])];
  return payers.map((payer) => audit.hashOf(payer));
}

/** Reserves bytes of the UTC day before each fetch and gives back afterwards what did not come. */
export function payMedia({ config, database }: Pick<Base, 'config' | 'database'>, payers: readonly string[]): Pay {
  const days = database.db.collection<MediaDay>('agent_budgets');
  const all = config.media.dayBytes;
  const share = Math.floor(all * PAYER_PART);

  const costOf = (bytes: number) => ({
    $inc: { bytes, ...Object.fromEntries(payers.map((payer) => [`of.${payer}`, bytes])) },
  });

  /** All counts stand in one document, so that one update checks and raises them. Answers which budget has too little. */
  async function reserve(_id: string, bytes: number): Promise<'share' | 'all' | null> {
    const fits = (most: number) => ({ $not: { $gt: most - bytes } });
    const ofPayers = Object.fromEntries(payers.map((payer) => [`of.${payer}`, fits(share)]));
    const withRoom = { _id, bytes: fits(all), ...ofPayers };
    try {
      const { upsertedCount } = await days.updateOne(withRoom, costOf(bytes), { upsert: true });
      // The codes of the days before are of no more use.
      if (upsertedCount > 0) await days.deleteMany({ _id: { $gte: 'media ', $lt: _id } });
      return null;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // The day has too little room, or another fetch has begun it at the same moment.
    if ((await days.updateOne(withRoom, costOf(bytes))).modifiedCount === 1) return null;
    return (await days.findOne({ _id, bytes: fits(all) })) ? 'share' : 'all';
  }

  return async (maxBytes, fetch) => {
    if (payers.length === 0) return fetch(maxBytes, () => {});
    const bytes = Math.min(maxBytes, config.media.maxBytes, share);
    const day = `media ${database.clock.now().toISOString().slice(0, 10)}`;
    const budget = await reserve(day, bytes);
    if (budget) {
      tell('mediaRefused', { budget, bytes });
      return { refused: 'day_spent', retry: true };
    }
    let used = 0;
    try {
      return await fetch(bytes, (count) => {
        used += count;
      });
    } finally {
      await days.updateOne({ _id: day }, costOf(used - bytes));
    }
  };
}
