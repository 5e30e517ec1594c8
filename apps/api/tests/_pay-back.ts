import type { LocalSolana } from '@archive/local-solana';
import { associatedAccount } from '@archive/solana/chain';
import { createTransferCheckedInstruction, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey, Transaction } from '@solana/web3.js';

const DECIMALS = 6;

/** Sends a confirmed transfer to this wallet, from the receiving wallet or from another one. */
export async function payBack(
  solana: LocalSolana,
  to: string,
  baseUnits = 1_000_000n,
  from = Keypair.fromSecretKey(solana.featureWalletSecret),
): Promise<string> {
  const connection = new Connection(solana.rpcUrl, 'confirmed');
  await connection.requestAirdrop(from.publicKey, LAMPORTS_PER_SOL);
  await solana.control.advance(1);
  const account = (wallet: string) =>
    new PublicKey(associatedAccount(wallet, solana.mint, TOKEN_PROGRAM_ID.toBase58()));
  const [source, target] = [account(from.publicKey.toBase58()), account(to)];
  const mint = new PublicKey(solana.mint);
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash });
  transaction.add(createTransferCheckedInstruction(source, mint, target, from.publicKey, baseUnits, DECIMALS));
  transaction.sign(from);
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  await solana.control.advance(1);
  return signature;
}
