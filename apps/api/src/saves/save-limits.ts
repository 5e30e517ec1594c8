import { SAVES_PER_DAY, SAVES_PER_MINUTE } from '@archive/contracts';
import type { Base } from '../base.ts';
import type { SaveDocument } from './save-document.ts';
import type { SaveStore } from './save-store.ts';

interface Needs extends Pick<Base, 'config'> {
  saves: { store: SaveStore };
}

/** What of a request, taken in or not, says how many came before it. */
export type Counted = Pick<SaveDocument, '_id' | 'askedBy' | 'via' | 'createdAt'> & { network?: string | undefined };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Whether so many requests of its day came before it, from the same asker or network, that it is not taken. Counted by
 * those before it, so that of many at once just the first ones are taken, whoever looks.
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

/** Whether as many requests as can be taken came before it within a minute, from wallets and keys together. */
export async function isBusy({ config, saves }: Needs, save: Counted): Promise<boolean> {
  if (!config.rateLimits || save.askedBy.kind === 'operator') return false;
  const since = new Date(save.createdAt.getTime() - MINUTE_MS);
  const before = { _id: { $lt: save._id }, createdAt: { $gte: since }, via: save.via };
  return (await saves.store.count(before, SAVES_PER_MINUTE)) >= SAVES_PER_MINUTE;
}
