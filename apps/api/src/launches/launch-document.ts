import {
  ENDPOINTS,
  isLaunched,
  type LaunchPlatformName,
  type LaunchStatus,
  type TokenLaunch,
} from '@archive/contracts';
import { explorerUrl, type Network } from '@archive/solana/price';
import type { ObjectId } from 'mongodb';

/**
 * - `claimed`: the post is taken, nothing is signed
 * - `signed`: the transaction is stored here; from now on it may be on the chain, and only the chain can tell
 * - `sent`: a node has accepted it
 * - `confirmed`: the token is on the chain; `finalized`: permanently
 * - `failed`, `expired`: this attempt has made no token and never will; the post can be launched again
 */
export type LaunchState = LaunchStatus;

/** States in which the outcome is still unknown. */
export const LAUNCHES_UNDER_WAY = ['claimed', 'signed', 'sent'] as const;

/** The launch of one post. A new attempt replaces a failed or expired one. */
export interface LaunchDocument {
  /** `_id` of the post. */
  _id: ObjectId;
  /** Identifies one attempt; every change names it, so that the process of an older attempt changes nothing. */
  claim: string;
  /** Counts signed attempts; the token's key depends on it. */
  attempt: number;
  state: LaunchState;
  wallet: string;
  name: string;
  /** Upper-case. */
  symbol: string;
  /** The sentence that the wallet signed, and its signature. They authorise the launch. */
  authorised: { message: string; signature: string };
  description: string;
  platform: LaunchPlatformName;
  network: Network;
  genesisHash: string;
  mint: string;
  /** The JSON exactly as it is served. It stays after the post is removed, without the post's text. */
  metadata: string;
  /** The metadata address that the token names; null until it is known. */
  metadataUri: string | null;
  /** The transaction's signature in base58. */
  transaction: string | null;
  /** The signed transaction in base64; only these bytes are ever sent. */
  signedTransaction: string | null;
  /** Height of the last block that can contain the transaction. */
  lastValidBlockHeight: number | null;
  /** Whether the post is marked as launched. It differs from the state for a moment, or after a crash. */
  shown: boolean;
  failure: string | null;
  createdAt: Date;
  changedAt: Date;
  confirmedAt: Date | null;
  finalizedAt: Date | null;
  /** Since when the chain no longer shows the token. */
  missingSince: Date | null;
  /**
   * Identifies the post while a restore has left the launch without its text. The post may be saved again under one of
   * these ids.
   */
  restored?: { ids: string[]; fingerprint: string };
}

/** States in which no other launch of the post can begin. */
export const HOLDING: readonly LaunchState[] = ['claimed', 'signed', 'sent', 'confirmed', 'finalized'];
export const RELEASED: readonly LaunchState[] = ['failed', 'expired'];
/** States in which the transaction may or may not be on the chain. */
export const UNDER_WAY: readonly LaunchState[] = ['signed', 'sent'];
export const LAUNCHED: readonly LaunchState[] = ['confirmed', 'finalized'];

export function holdsPost(launch: LaunchDocument): boolean {
  return HOLDING.includes(launch.state);
}

/**
 * The metadata without the post's text, as served once the post is removed. Name and symbol stay, since they are on the
 * chain.
 */
export function withoutWords(metadata: string): string {
  return JSON.stringify({ ...JSON.parse(metadata), description: '' });
}

/**
 * Address of pinned metadata with the post's text, which only the pinning service can delete; null if there is none.
 */
export function pinnedWords(launch: LaunchDocument): string | null {
  const { metadata, metadataUri } = launch;
  return isServedHere(launch) || metadata === withoutWords(metadata) ? null : metadataUri;
}

/** Whether the token names this server for its metadata. Pinned metadata cannot be changed. */
export function isServedHere({ mint, metadataUri }: LaunchDocument): boolean {
  return metadataUri?.endsWith(ENDPOINTS.tokenMetadata.path.replace(':mint', mint)) ?? false;
}

export function toTokenLaunch(launch: LaunchDocument): TokenLaunch {
  const { mint, transaction, network } = launch;
  const isSigned = transaction !== null;
  return {
    amberId: launch._id.toHexString(),
    name: launch.name,
    symbol: launch.symbol,
    description: launch.description,
    mint: isSigned ? mint : null,
    transaction,
    // pump.fun shows only the main network, and only existing tokens.
    pumpfunUrl:
      launch.platform === 'pumpfun' && network === 'mainnet' && isLaunched(launch.state)
        ? `https://pump.fun/coin/${mint}`
        : null,
    solscanUrl: transaction && explorerUrl('transaction', transaction, network),
    solscanTokenUrl: isSigned ? explorerUrl('token', mint, network) : null,
    createdAt: launch.createdAt.toISOString(),
    status: launch.state,
  };
}
