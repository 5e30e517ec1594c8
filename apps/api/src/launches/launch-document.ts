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
 * - `signed`: the transaction is kept here; from now on it may be on the chain, and only the chain can tell
 * - `sent`: a node has taken it
 * - `confirmed`: the token is on the chain; `finalized`: for good
 * - `failed`, `expired`: there is no token and there will be none of this attempt; the post can be launched again
 */
export type LaunchState = LaunchStatus;

/** States in which it is not yet told whether there will be a token. */
export const LAUNCHES_UNDER_WAY = ['claimed', 'signed', 'sent'] as const;

/** The launch of one post; a released one is replaced by the next attempt. */
export interface LaunchDocument {
  /** The post. */
  _id: ObjectId;
  /** Distinguishes one attempt's worker from another's: every change names it. */
  claim: string;
  /** Counts attempts that were signed; the token's key depends on it. */
  attempt: number;
  state: LaunchState;
  wallet: string;
  name: string;
  /** Upper-case. */
  symbol: string;
  /** The sentence that the wallet signed, and its signature: the authorisation. */
  authorised: { message: string; signature: string };
  description: string;
  platform: LaunchPlatformName;
  network: Network;
  genesisHash: string;
  mint: string;
  /** JSON exactly as it is served; it outlives the post, without words of it. */
  metadata: string;
  /** Where the token says its metadata is; null until it is there. */
  metadataUri: string | null;
  /** The transaction's signature in base58. */
  transaction: string | null;
  /** The signed transaction in base64: only these bytes are ever sent. */
  signedTransaction: string | null;
  /** Height of the last block that can hold it. */
  lastValidBlockHeight: number | null;
  /** Whether the post is marked as launched; differs from the state for a moment, or after a crash. */
  shown: boolean;
  failure: string | null;
  createdAt: Date;
  changedAt: Date;
  confirmedAt: Date | null;
  finalizedAt: Date | null;
  /** Since when the chain does not show it any more. */
  missingSince: Date | null;
  /** What names its post, while a restore has left it without words of that; under one of these ids the post may come again. */
  restored?: { ids: string[]; fingerprint: string };
}

/** States in which no other launch of the post can begin. */
export const HOLDING: readonly LaunchState[] = ['claimed', 'signed', 'sent', 'confirmed', 'finalized'];
export const RELEASED: readonly LaunchState[] = ['failed', 'expired'];
/** States in which the transaction may be on the chain or not. */
export const UNDER_WAY: readonly LaunchState[] = ['signed', 'sent'];
export const LAUNCHED: readonly LaunchState[] = ['confirmed', 'finalized'];

export function holdsPost(launch: LaunchDocument): boolean {
  return HOLDING.includes(launch.state);
}

/** Metadata as it is served once its post is removed: name and symbol are on the chain, its words need not be said. */
export function withoutWords(metadata: string): string {
  return JSON.stringify({ ...JSON.parse(metadata), description: '' });
}

/** Where words of a post are that only a pinning service can remove; null where there are none. */
export function pinnedWords(launch: LaunchDocument): string | null {
  const { metadata, metadataUri } = launch;
  return isServedHere(launch) || metadata === withoutWords(metadata) ? null : metadataUri;
}

/** Whether the token says that its metadata is on this server; what is pinned elsewhere stays as it is. */
export function isServedHere({ mint, metadataUri }: LaunchDocument): boolean {
  return metadataUri?.endsWith(ENDPOINTS.tokenMetadata.path.replace(':mint', mint)) ?? false;
}

/** A launch as it is answered. */
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
    // The site shows the main network alone, and only what is there.
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
