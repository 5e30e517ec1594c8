import type { Credit, CreditReason, FeatureWallet } from '@archive/contracts';
import { formatAmount, parsePrice } from '@archive/solana/price';

const REASONS: Record<CreditReason, string> = {
  already_featured: 'Its post was already featured when it arrived.',
  post_removed: 'The post it was for was removed from the archive.',
  post_unknown: 'It named a post that the archive does not have.',
  too_little: 'It was less than the price.',
  several_posts: 'It named several posts.',
  moved_otherwise: 'It came without a transfer that your wallet signed.',
  stopped: 'It was sent while featuring was stopped by the operators.',
  suspended: 'It was sent while your wallet was suspended by the operators.',
  change: 'It is what was left of credits that were worth more than the price.',
};

/** Why a payment became a credit, in a sentence. */
export function creditReason(reason: CreditReason): string {
  return REASONS[reason];
}

/** The sum of the credits that can be used now, in base units. */
export function usableUnits(credits: readonly Credit[]): bigint {
  return credits.reduce((sum, credit) => (isOpen(credit) ? sum + BigInt(credit.baseUnits) : sum), 0n);
}

/** Whether a credit can be used now and is unused. */
export function isOpen({ usable, usedOn }: Credit): boolean {
  return usable && usedOn === null;
}

/** Whether the usable credits pay for one featuring at this price. */
export function coversPrice(credits: readonly Credit[], { enabled, featurePrice, decimals }: FeatureWallet): boolean {
  try {
    return enabled && usableUnits(credits) >= parsePrice(featurePrice, decimals);
  } catch {
    // No credit covers an invalid price.
    return false;
  }
}

/** The decimals of a token, also while payments are off; undefined if the server names another token. */
export function decimalsOf(quote: FeatureWallet | undefined, mint = quote?.mintAddress): number | undefined {
  return mint && mint === quote?.mintAddress ? quote.decimals : undefined;
}

/** `1.5 AMBER`; base units if the decimals are unknown. */
export function creditAmount(baseUnits: bigint, decimals: number | undefined, ticker: string): string {
  return decimals === undefined ? `${baseUnits} base units` : `${formatAmount(baseUnits, decimals)} ${ticker}`.trim();
}

/** Whether a credit has its own transaction. The remainder of spent credits has none. */
export function isOnChain({ transaction }: Credit): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(transaction);
}
