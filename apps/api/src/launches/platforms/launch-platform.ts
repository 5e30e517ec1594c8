import type { LaunchPlatformName } from '@archive/contracts';
import type { Network } from '@archive/solana/price';
import type { PublicKey, TransactionInstruction } from '@solana/web3.js';

/** What one launch is about. */
export interface LaunchTerms {
  /** The launch key's address: pays for everything and keeps no power over the token. */
  payer: PublicKey;
  mint: PublicKey;
  /** The wallet that launches. */
  wallet: PublicKey;
  name: string;
  symbol: string;
  /** At most 200 bytes. */
  uri: string;
}

/**
 * A place where tokens are launched. One transaction, signed by payer and mint, does all of it or nothing; the mint is an
 * account of `tokenProgram` from then on.
 */
export interface LaunchPlatform {
  name: LaunchPlatformName;
  /** For people. */
  label: string;
  tokenProgram: string;
  isOn(network: Network): boolean;
  instructions(terms: LaunchTerms, rentOf: (bytes: number) => Promise<number>): Promise<TransactionInstruction[]>;
}

/** Of a token's metadata address. */
export const MAX_URI_BYTES = 200;
