import type { Base } from '../base.ts';
import { tell } from '../channels.ts';
import { isDuplicateKey } from '../db/database.ts';
import type { SaveDocument } from './save-document.ts';

/** The share of a day's budget that one asker or one network may use. */
const PAYER_PART = 1 / 16;

interface Spent {
  refused: 'day_spent';
  retry: true;
}

/** Does work that costs at most `most`, if the day and each payer have that much left. */
export type Pay = <T>(most: number, work: Work<T>) => Promise<T | Spent>;
type Work<T> = (most: number, onSpent: (count: number) => void) => Promise<T>;

interface Day {
  /** The kind of the budget and the UTC day. */
  _id: string;
  /** Used and reserved amounts: bytes of media and evidence, or calls of the categoriser. */
  bytes?: number;
  calls?: number;
  /** The same amounts for each payer, under the codes of `mediaPayers`. */
  of: Record<string, number>;
}

interface Budget {
  kind: 'media' | 'category';
  field: 'bytes' | 'calls';
  /** The budget of a UTC day for all payers together. */
  all: number;
  /** The most that one piece of work may reserve. */
  most: number;
}

/**
 * Codes of the asker and of the network that pay for the media of a request. An empty list means that the archive pays,
 * without a limit.
 */
export function mediaPayers(
  { audit, config }: Pick<Base, 'audit' | 'config'>,
  { askedBy, network }: Pick<SaveDocument, 'askedBy' | 'network'>,
): string[] {
  if (!config.rateLimits || askedBy.kind === 'operator') return [];
  const payers = [`${askedBy.kind} ${askedBy.id}`, ...(network === undefined ? [] : [`network ${network}`])];
  return payers.map((payer) => audit.hashOf(payer));
}

type Needs = Pick<Base, 'config' | 'database'>;

/** Charges bytes of media and evidence to the UTC day. */
export function payMedia(needs: Needs, payers: readonly string[]): Pay {
  const { dayBytes: all, maxBytes: most } = needs.config.media;
  return payOfDay(needs, payers, { kind: 'media', field: 'bytes', all, most });
}

/** Charges calls of the categoriser to the UTC day. */
export function payCategory(needs: Needs, payers: readonly string[]): Pay {
  return payOfDay(needs, payers, {
    kind: 'category',
    field: 'calls',
    all: needs.config.categoriserCallsPerDay,
    most: 1,
  });
}

/** Spends `count`. Returns false if less is left. */
export async function spend(pay: Pay, count: number): Promise<boolean> {
  const paid = await pay(count, async (most, onSpent) => {
    if (most < count) return false;
    onSpent(count);
    return true;
  });
  return paid === true;
}

/** Reserves an amount of the UTC day before the work and returns the unused part afterwards. */
function payOfDay({ database }: Needs, payers: readonly string[], { kind, field, all, most: atOnce }: Budget): Pay {
  const days = database.db.collection<Day>('agent_budgets');
  const share = Math.ceil(all * PAYER_PART);

  const costOf = (count: number) => ({
    $inc: { [field]: count, ...Object.fromEntries(payers.map((payer) => [`of.${payer}`, count])) },
  });

  /**
   * All counts are in one document, so one update checks and raises them together. Returns the budget that has too
   * little left.
   */
  async function reserve(_id: string, count: number): Promise<'share' | 'all' | null> {
    const fits = (most: number) => ({ $not: { $gt: most - count } });
    const ofPayers = Object.fromEntries(payers.map((payer) => [`of.${payer}`, fits(share)]));
    const withRoom = { _id, [field]: fits(all), ...ofPayers };
    try {
      const { upsertedCount } = await days.updateOne(withRoom, costOf(count), { upsert: true });
      // The counts of earlier days are no longer needed.
      if (upsertedCount > 0) await days.deleteMany({ _id: { $gte: `${kind} `, $lt: _id } });
      return null;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // The day has too little left, or another process created the document at the same moment.
    if ((await days.updateOne(withRoom, costOf(count))).modifiedCount === 1) return null;
    return (await days.findOne({ _id, [field]: fits(all) })) ? 'share' : 'all';
  }

  return async (most, work) => {
    if (payers.length === 0) return work(most, () => {});
    const count = Math.min(most, atOnce, share);
    const day = `${kind} ${database.clock.now().toISOString().slice(0, 10)}`;
    const budget = await reserve(day, count);
    if (budget) {
      if (kind === 'media') tell('mediaRefused', { budget, bytes: count });
      return { refused: 'day_spent', retry: true };
    }
    let used = 0;
    try {
      return await work(count, (spent) => {
        used += spent;
      });
    } finally {
      await days.updateOne({ _id: day }, costOf(used - count));
    }
  };
}
