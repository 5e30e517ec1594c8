import type { LaunchPlatformName } from '@archive/contracts';
import type { Network } from '@archive/solana/price';
import type { PublicKey, TransactionInstruction } from '@solana/web3.js';

/** The data of one launch. */
export interface LaunchTerms {
  /** The address of the launch key. It pays all costs and keeps no authority over the token. */
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
 * A platform that launches tokens. One transaction, signed by payer and mint, does everything or nothing. Afterwards
 * the mint is an account of `tokenProgram`.
 */
export interface LaunchPlatform {
  name: LaunchPlatformName;
  /** Name for users. */
  label: string;
  tokenProgram: string;
  isOn(network: Network): boolean;
  instructions(terms: LaunchTerms, rentOf: (bytes: number) => Promise<number>): Promise<TransactionInstruction[]>;
}

/** Longest metadata address of a token. */
export const MAX_URI_BYTES = 200;
