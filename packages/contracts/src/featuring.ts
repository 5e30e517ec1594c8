import type { Archive, Instant } from './entities.ts';

/** Answer of `GET feature/wallet`: where a payment goes and how much it is. Nobody can pay while `enabled` is false. */
export interface FeatureWallet {
  /** The wallet that is paid, base58; null while none is configured. */
  wallet: string | null;
  mintAddress: string | null;
  /** In tokens, as a decimal string. */
  featurePrice: string;
  /** The mint's own decimals. */
  decimals: number;
  network: string;
  enabled: boolean;
}

/** Why a payment that arrived could not be applied. */
export const CREDIT_REASONS = [
  /** Another payment, or the team, was first. */
  'already_featured',
  'post_removed',
  /** The memo names a post that the archive does not have. */
  'post_unknown',
  'too_little',
  /** Memos of ours that name different posts. */
  'several_posts',
  /** What was left of credits that were worth more than the price. */
  'change',
] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** A payment that arrived and could not be applied; it features another post. */
export interface Credit {
  _id: string;
  /** An integer string in base units of the token. */
  baseUnits: string;
  reason: CreditReason;
  /** Signature of the payment. */
  transaction: string;
  createdAt: Instant;
  /** `_id` of the post it was used for. */
  usedOn: string | null;
  /** Whether its payment is final, so that it can be used. */
  usable: boolean;
}

/** Answer of `POST feature/verify` and of `POST feature/credits/use`; `pending` comes with status 202. */
export type FeatureResult = { success: true; archive: Archive } | { success: false; status: 'pending' };
