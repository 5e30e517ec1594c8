/** Everything of the sheet that needs the Solana libraries; loaded once the sheet is open. */
export { openConnection } from '../payment/connection.ts';
export { resumePayment } from '../payment/follow-payment.ts';
export { pay } from '../payment/pay.ts';
export { readOffer } from '../payment/read-offer.ts';
export { getTestTokens } from './test-tokens.ts';
