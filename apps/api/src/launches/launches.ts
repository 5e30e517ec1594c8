import type { Opening } from '../background/opening.ts';
import type { HoldingCheck } from './holding-check.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import type { LastLaunch } from './last-launch.ts';
import type { LaunchOffer } from './launch-offer.ts';
import type { LaunchStore } from './launch-store.ts';
import type { OptOutStore } from './opt-out-store.ts';
import type { TokenPictures } from './picture/token-pictures.ts';

/** Milliseconds: how long a call waits for the chain, how often it polls, and how often it sends again. */
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
  /** Runs the launches of one post in sequence. */
  queue: KeyedQueue;
  pictures: TokenPictures;
}
