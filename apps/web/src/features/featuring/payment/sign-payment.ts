import { buildFeaturePayment } from '@archive/solana/chain';
import type { FeatureTerms } from '@archive/solana/verify';
import { type Connection, SystemProgram, type VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { PlainError } from '../../../wallet/wallet-errors.ts';
import type { TransactionSigner } from '../../../wallet/wallet-store.ts';
import type { JournalEntry } from './payment-journal.ts';

export type SignedPayment = Pick<JournalEntry, 'signature' | 'transaction' | 'lastValidBlockHeight'>;

/** Twice the lifetime of a blockhash in blocks: a wallet may use a newer blockhash than the page's node. */
const OTHER_BLOCKHASH_BLOCKS = 300;
/** The index of the system instruction that makes a transaction valid without an expiry. */
const ADVANCE_NONCE = 4;

/** Asks the wallet to sign the payment, and checks what it signed. Sends nothing. */
export async function signPayment(
  connection: Pick<Connection, 'getLatestBlockhash' | 'getBlockHeight'>,
  terms: FeatureTerms,
  sign: TransactionSigner,
): Promise<SignedPayment> {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('confirmed');
  const built = buildFeaturePayment(terms, blockhash);
  const signed = await sign(built);
  checkSigned(signed, built);
  const isOurBlockhash = signed.message.recentBlockhash === blockhash;
  return {
    signature: bs58.encode(signed.signatures[0] ?? new Uint8Array()),
    transaction: btoa(String.fromCharCode(...signed.serialize())),
    lastValidBlockHeight: isOurBlockhash
      ? lastValidBlockHeight
      : (await connection.getBlockHeight('confirmed')) + OTHER_BLOCKHASH_BLOCKS,
  };
}

/**
 * A wallet may put instructions of its own around ours; payer, memo and transfer must be there as they were built.
 *
 * @throws PlainError where they are not.
 */
export function checkSigned(signed: VersionedTransaction, built: VersionedTransaction): void {
  const [payer] = built.message.staticAccountKeys;
  const isSigned = signed.signatures[0]?.some((byte) => byte !== 0) ?? false;
  if (!payer || !signed.message.staticAccountKeys[0]?.equals(payer)) {
    throw new PlainError('Your wallet signed for another account.');
  }
  if (!isSigned) throw new PlainError('The transaction was not signed.');
  const found = instructions(signed);
  // The first instruction creates the receiver's token account. A wallet may omit it if the account exists.
  if (
    !instructions(built)
      .slice(1)
      .every((ours) => found.includes(ours))
  ) {
    throw new PlainError('Your wallet changed the payment itself.');
  }
  if (found[0]?.startsWith(`${SystemProgram.programId.toBase58()} ${ADVANCE_NONCE},0,0,0`)) {
    throw new PlainError('Your wallet signed a payment that never expires.');
  }
}

/**
 * Each instruction as text, for comparison: program, data, accounts. An instruction that uses a lookup table never
 * matches.
 */
function instructions({ message }: VersionedTransaction): string[] {
  const name = (index: number) => message.staticAccountKeys[index]?.toBase58() ?? '?';
  return message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) =>
    [name(programIdIndex), data.join(), ...accountKeyIndexes.map(name)].join(' '),
  );
}
