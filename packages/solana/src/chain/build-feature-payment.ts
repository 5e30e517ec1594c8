import { createAssociatedTokenAccountIdempotentInstruction, createTransferCheckedInstruction } from '@solana/spl-token';
import { PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { InvalidPriceError, isDecimals, isTransferable } from '../amount.ts';
import { featureMemo } from '../feature-memo.ts';
import type { FeatureTerms } from '../feature-terms.ts';
import { MEMO_PROGRAM } from '../programs.ts';
import { associatedAccount } from './associated-account.ts';

/**
 * Builds the unsigned payment of these terms, which `readFeaturePayment` reads back: it creates the receiver's token
 * account if it is missing, adds a memo that names the post, and makes one checked transfer of the price from the
 * payer's associated account. The payer pays every fee and is the only signer. No compute limit is set, because wallets
 * add instructions of their own.
 *
 * The result is a legacy message, which every wallet can sign, as a `VersionedTransaction`.
 *
 * @throws InvalidPriceError outside 1 to 2^64 - 1 base units and 0 to 19 decimals; TypeError for a wrong post or
 * address.
 */
export function buildFeaturePayment(terms: FeatureTerms, recentBlockhash: string): VersionedTransaction {
  const { baseUnits, decimals } = terms;
  // The encoder truncates amounts that are too large or negative, so another amount would be charged.
  if (!isTransferable(baseUnits) || !isDecimals(decimals)) throw new InvalidPriceError();
  const payer = new PublicKey(terms.payer);
  const payerAccount = new PublicKey(associatedAccount(terms.payer, terms.mint, terms.tokenProgram));
  const receiver = new PublicKey(terms.receiver);
  const receiverAccount = new PublicKey(terms.receiverAccount);
  const mint = new PublicKey(terms.mint);
  const program = new PublicKey(terms.tokenProgram);
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash,
    instructions: [
      createAssociatedTokenAccountIdempotentInstruction(payer, receiverAccount, receiver, mint, program),
      // An account may require a memo directly before an incoming transfer.
      memoInstruction(featureMemo(terms.postId), payer),
      createTransferCheckedInstruction(payerAccount, mint, receiverAccount, payer, baseUnits, decimals, [], program),
    ],
  });
  return new VersionedTransaction(message.compileToLegacyMessage());
}

function memoInstruction(memo: string, signer: PublicKey): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(MEMO_PROGRAM),
    keys: [{ pubkey: signer, isSigner: true, isWritable: false }],
    data: Buffer.from(memo, 'utf8'),
  });
}
