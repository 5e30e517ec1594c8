export * from './check-feature-payment.ts';
export * from './feature-memo.ts';
export type * from './feature-terms.ts';
export type { FetchedTransaction } from './fetched-transaction.ts';
export * from './programs.ts';
export * from './read-feature-payment.ts';
export { isRefusal, REFUSALS, type Refusal, type RefusalCode } from './refusals.ts';
export * from './signature.ts';
