import type { ReactionType } from './reactions.ts';
import type { ProfileChange } from './users.ts';

/** Lifetime of a sign-in challenge. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** Maximum difference between a signed message's timestamp and the server's clock, in either direction. */
export const MESSAGE_WINDOW_MS = 5 * 60_000;

/** Fields of a Sign-In With Solana message: the input of a wallet's `signIn`, without the address. */
export interface SignInInput {
  domain: string;
  statement: string;
  uri: string;
  version: '1';
  chainId: string;
  nonce: string;
  issuedAt: string;
  expirationTime: string;
}

/**
 * The Sign-In With Solana text for one wallet. It must equal the text of the wallet byte for byte, because the server
 * compares them. Source: the Sign-In With Solana specification's ABNF.
 */
export function buildSignInMessage(input: SignInInput, address: string): string {
  return [
    `${input.domain} wants you to sign in with your Solana account:`,
    address,
    '',
    input.statement,
    '',
    `URI: ${input.uri}`,
    `Version: ${input.version}`,
    `Chain ID: ${input.chainId}`,
    `Nonce: ${input.nonce}`,
    `Issued At: ${input.issuedAt}`,
    `Expiration Time: ${input.expirationTime}`,
  ].join('\n');
}

/** The fields of every signed JSON message. The web adds `domain` and `nonce`; other clients may omit them. */
export interface SignedMessageBase {
  walletAddress: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  domain?: string | undefined;
  nonce?: string | undefined;
}

export interface ReactionMessage extends SignedMessageBase {
  action: 'add' | 'remove';
  reactionType: ReactionType;
  /** The post's `_id`, or its platform id. */
  archiveId: string;
}

export interface ProfileMessage extends SignedMessageBase {
  action: 'updateProfile';
  profileData: ProfileChange;
}

export interface DeletionMessage extends SignedMessageBase {
  action: 'deleteAccount';
  /** The archive's domain, so that a text signed for another site deletes nothing here. */
  domain: string;
}

/** The keys a signed message may have; any other is refused. */
export const SIGNED_MESSAGE_KEYS = [
  'action',
  'reactionType',
  'archiveId',
  'walletAddress',
  'profileData',
  'timestamp',
  'domain',
  'nonce',
] as const;

/** The JSON text that a wallet signs to add or take back a reaction. */
export function buildReactionMessage(message: ReactionMessage): string {
  const { action, reactionType, archiveId, walletAddress, timestamp, domain, nonce } = message;
  return JSON.stringify({ action, reactionType, archiveId, walletAddress, timestamp, domain, nonce });
}

/** The JSON text that a wallet signs to change its profile. */
export function buildProfileMessage(message: ProfileMessage): string {
  const { action, walletAddress, profileData, timestamp, domain, nonce } = message;
  return JSON.stringify({ action, walletAddress, profileData, timestamp, domain, nonce });
}

/** The JSON text that a wallet signs to delete its account. */
export function buildDeletionMessage(message: DeletionMessage): string {
  const { action, walletAddress, timestamp, domain, nonce } = message;
  return JSON.stringify({ action, walletAddress, timestamp, domain, nonce });
}

/** The sentence that a wallet signs to authorise a launch. `id` and `symbol` stand exactly as sent. */
export function buildLaunchMessage(launch: { name: string; symbol: string; id: string }): string {
  return `I am launching a token named ${launch.name} with symbol ${launch.symbol} for tweet ${launch.id}`;
}
