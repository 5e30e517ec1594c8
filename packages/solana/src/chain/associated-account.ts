import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';

/**
 * The associated token account of a wallet for a mint, all in base58. The mint's program is part of the derivation. A
 * wallet may be off the curve, as shared wallets are. `checkBeforePaying` decides which receivers are allowed.
 */
export function associatedAccount(wallet: string, mint: string, tokenProgram: string): string {
  const [walletKey, mintKey, programKey] = [new PublicKey(wallet), new PublicKey(mint), new PublicKey(tokenProgram)];
  return getAssociatedTokenAddressSync(mintKey, walletKey, true, programKey).toBase58();
}
