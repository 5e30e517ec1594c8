import type { Opening } from '../background/opening.ts';
import type { HoldingCheck } from './holding-check.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import type { LastLaunch } from './last-launch.ts';
import type { LaunchOffer } from './launch-offer.ts';
import type { LaunchStore } from './launch-store.ts';
import type { OptOutStore } from './opt-out-store.ts';
import type { TokenPictures } from './picture/token-pictures.ts';

/** How long a call waits for the chain, and how often it looks. */
export interface LaunchTiming {
  waitMs: number;
  pollMs: number;
  resendMs: number;
}

export interface Launches {
  store: LaunchStore;
  optOuts: OptOutStore;
  last: LastLaunch;
  offer: Opening<LaunchOffer>;
  holdings: HoldingCheck;
  timing: LaunchTiming;
  /** Launches of one post, one after another. */
  queue: KeyedQueue;
  pictures: TokenPictures;
}
