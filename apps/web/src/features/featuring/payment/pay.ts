import type { FeatureWallet } from '@archive/contracts';
import type { Connection } from '@solana/web3.js';
import type { ScopedMutator } from 'swr';
import { callApi } from '../../../lib/api.ts';
import { withTimeout } from '../../../lib/with-timeout.ts';
import { checkSession } from '../../../wallet/session.ts';
import { CANNOT_SIGN, PlainError } from '../../../wallet/wallet-errors.ts';
import { walletState } from '../../../wallet/wallet-store.ts';
import { followPayment, reportPayment } from './follow-payment.ts';
import { refuseChanged } from './offer-changed.ts';
import { findEntry, type JournalEntry, keepEntry, removeEntry } from './payment-journal.ts';
import { withPaymentLock } from './payment-lock.ts';
import type { Offer } from './read-offer.ts';
import { signPayment } from './sign-payment.ts';

export interface PayTools {
  connection: Connection;
  /** The server's terms when the offer was shown. */
  quote: FeatureWallet;
  mutate: ScopedMutator;
  /** Whether the person still wants the payment after the wallet's prompt. */
  isWanted: () => boolean;
  /** Called when the payment is signed and journaled. */
  onSigned: () => void;
}

/**
 * Pays for an offer: signs, writes the journal, reports to the server, sends, and follows the payment to its end. A
 * rejection always comes before anything is sent.
 *
 * @throws OfferChangedError where the server asks for something else than what was shown, or for nothing.
 */
export async function pay({ terms, summary, network }: Offer, tools: PayTools): Promise<void> {
  const { connection, quote, mutate, isWanted, onSigned } = tools;
  const { payer, postId } = terms;
  const sign = await signerOf(payer);
  await withPaymentLock({ wallet: payer, postId }, false, async () => {
    // Another tab may have started a payment meanwhile. Finish that one first.
    const begun = findEntry(payer, postId);
    if (begun !== null) {
      onSigned();
      return followPayment(begun, false, connection, mutate);
    }
    await Promise.all([refuseFeatured(postId), refuseOther(quote)]);
    const signed = await signPayment(connection, terms, sign);
    // The wallet's prompt may have been open for long, so check the terms again.
    await refuseOther(quote);
    if (!isWanted()) return;
    const createdAt = new Date().toISOString();
    const entry: JournalEntry = { ...signed, postId, wallet: payer, network, amount: summary.amount, createdAt };
    keepEntry(entry);
    try {
      await reportPayment(entry);
    } catch (error) {
      removeEntry(entry);
      throw error;
    }
    if (!isWanted()) return removeEntry(entry);
    onSigned();
    await followPayment(entry, true, connection, mutate);
  });
}

/** The signing function of the signed-in person's wallet. */
async function signerOf(payer: string) {
  await checkSession();
  const { wallet, user } = walletState();
  if (wallet === null || wallet.signTransaction === null || user?.walletAddress !== payer) {
    throw new PlainError(CANNOT_SIGN);
  }
  return wallet.signTransaction;
}

/** Someone else may have featured the post meanwhile. Paying then would only create a credit. */
async function refuseFeatured(postId: string): Promise<void> {
  const { featured } = await withTimeout(callApi('getArchive', { params: { id: postId } }));
  if (featured) throw new PlainError('This post was featured by somebody else in the meantime.');
}

/** Throws if operators stopped featuring or changed its terms since the offer was shown. */
async function refuseOther(quote: FeatureWallet): Promise<void> {
  refuseChanged(quote, await withTimeout(callApi('featureWallet')));
}
