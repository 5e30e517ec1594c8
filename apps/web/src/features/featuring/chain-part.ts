/** Everything of the sheet that needs the Solana libraries; loaded once the sheet is open. */
export { openConnection } from './connection.ts';
export { pay } from './pay.ts';
export { readOffer } from './read-offer.ts';
export { resumePayment } from './resume-payments.ts';
export { getTestTokens } from './test-tokens.ts';
