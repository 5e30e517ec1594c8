import type { Opening } from '../background/opening.ts';
import type { FeatureOffer } from './feature-offer.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PriceStore } from './price-store.ts';
import type { RecentRefusals } from './recent-refusals.ts';

export interface Featuring {
  payments: PaymentStore;
  prices: PriceStore;
  refusals: RecentRefusals;
  offer: Opening<FeatureOffer>;
}
