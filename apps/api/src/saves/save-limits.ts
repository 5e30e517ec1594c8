import { SAVES_PER_DAY, SAVES_PER_MINUTE } from '@archive/contracts';
import type { Base } from '../base.ts';
import type { SaveDocument } from './save-document.ts';
import type { SaveStore } from './save-store.ts';

interface Needs extends Pick<Base, 'config'> {
  saves: { store: SaveStore };
}

/** The fields of a request that decide which requests came before it. */
export type Counted = Pick<SaveDocument, '_id' | 'askedBy' | 'via' | 'createdAt'> & { network?: string | undefined };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Whether the same asker or network has made too many requests before this one on its UTC day. Counting only earlier
 * requests lets exactly the first ones of several simultaneous requests pass, in every process.
 */
export async function isOverLimit({ config, saves }: Needs, save: Counted): Promise<boolean> {
  if (!config.rateLimits || save.askedBy.kind === 'operator') return false;
  const before = {
    _id: { $lt: save._id },
    createdAt: { $gte: new Date(Math.floor(save.createdAt.getTime() / DAY_MS) * DAY_MS) },
    via: save.via,
  };
  const [ofAsker, ofNetwork] = await Promise.all([
    saves.store.count({ ...before, 'askedBy.id': save.askedBy.id }, SAVES_PER_DAY),
    save.network === undefined ? 0 : saves.store.count({ ...before, network: save.network }, SAVES_PER_DAY),
  ]);
  return ofAsker >= SAVES_PER_DAY || ofNetwork >= SAVES_PER_DAY;
}

/** Whether too many requests of all wallets and keys together came within the minute before this one. */
export async function isBusy({ config, saves }: Needs, save: Counted): Promise<boolean> {
  if (!config.rateLimits || save.askedBy.kind === 'operator') return false;
  const since = new Date(save.createdAt.getTime() - MINUTE_MS);
  const before = { _id: { $lt: save._id }, createdAt: { $gte: since }, via: save.via };
  return (await saves.store.count(before, SAVES_PER_MINUTE)) >= SAVES_PER_MINUTE;
}
