/** The part of the sheet that needs the Solana libraries. It loads after the sheet has opened. */
export { openConnection } from '../payment/connection.ts';
export { resumePayment } from '../payment/follow-payment.ts';
export { pay } from '../payment/pay.ts';
export { readOffer } from '../payment/read-offer.ts';
export { getTestTokens } from './test-tokens.ts';
