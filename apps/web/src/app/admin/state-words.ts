import type { LaunchStatus, PaymentListState } from '@archive/contracts';

type Tone = 'good' | 'busy' | 'bad' | 'rest';

/** The label and colour of each state of a payment or credit. */
export const PAYMENT_STATES: Record<PaymentListState, [tone: Tone, words: string]> = {
  confirmed: ['busy', 'Seen, not yet applied'],
  applied: ['busy', 'Applied, not yet final'],
  finalized: ['good', 'Paid'],
  credit: ['bad', 'Credit'],
  held: ['bad', 'Held, to be paid back'],
  refunded: ['rest', 'Paid back'],
  used: ['rest', 'Credit, used'],
  dropped: ['rest', 'Dropped by the network'],
};

/** The label and colour of each state of a launch. */
export const LAUNCH_STATES: Record<LaunchStatus, [tone: Tone, words: string]> = {
  claimed: ['busy', 'Begun'],
  signed: ['busy', 'Signed'],
  sent: ['busy', 'Sent'],
  confirmed: ['busy', 'On the chain, not yet final'],
  finalized: ['good', 'Launched'],
  failed: ['bad', 'Failed'],
  expired: ['rest', 'Expired, nothing was sent'],
};
