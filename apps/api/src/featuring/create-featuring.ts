import type { Base } from '../base.ts';
import type { Stops } from '../operators/operators.ts';
import type { Posts } from '../posts/posts.ts';
import { openFeaturing } from './feature-offer.ts';
import type { Featuring } from './featuring.ts';
import { PaymentStore } from './payment-store.ts';
import { PaymentWatcher, type WatcherTiming } from './payment-watcher.ts';
import { PriceStore } from './price-store.ts';
import { RecentRefusals } from './recent-refusals.ts';

export type WatchedFeaturing = Featuring & {
  /** Null if no node is configured. */
  watcher: PaymentWatcher | null;
};

export function createFeaturing(
  base: Base,
  { posts, operators }: { posts: Posts; operators: Stops },
  timing?: Partial<WatcherTiming>,
): WatchedFeaturing {
  const { audit, background, chain, database, ledger, log } = base;
  const payments = new PaymentStore(database.db);
  const prices = new PriceStore(database.db);
  const offer = openFeaturing(base, { payments, prices });
  const featuring = { payments, prices, offer, refusals: new RecentRefusals() };
  const watcher =
    chain && new PaymentWatcher({ posts, featuring, operators, audit, database, ledger, log, chain }, timing);
  background.add(offer, ...(watcher ? [watcher] : []));
  return { ...featuring, watcher };
}
