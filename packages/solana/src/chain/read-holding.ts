import { unpackAccount } from '@solana/spl-token';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import type { ReceiverTerms } from '../feature-terms.ts';

/**
 * Base units of a token in an account of this wallet. 0 if there is no account, if it holds another token, or if its
 * wallet has given it away.
 */
export function readHolding(
  account: string,
  { wallet, mint, tokenProgram }: Pick<ReceiverTerms, 'mint' | 'tokenProgram'> & { wallet: string },
  info: AccountInfo<Buffer> | null,
): bigint {
  if (!info || info.owner.toBase58() !== tokenProgram) return 0n;
  const { amount, isInitialized, ...found } = unpackAccount(new PublicKey(account), info, info.owner);
  const isItsOwn = isInitialized && found.owner.toBase58() === wallet && found.mint.toBase58() === mint;
  return isItsOwn ? amount : 0n;
}
