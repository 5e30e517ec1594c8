export * from './chain/associated-account.ts';
export * from './chain/build-feature-payment.ts';
export * from './chain/check-before-paying.ts';
export * from './chain/read-holding.ts';
export { type MintTerms, readMint, readMintAccount, UnsupportedMintError } from './chain/read-mint.ts';
