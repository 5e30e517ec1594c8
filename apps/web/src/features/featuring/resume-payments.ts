import { ENDPOINTS, type PublicConfig } from '@archive/contracts';
import type { ScopedMutator } from 'swr';
import { callApi } from '../../lib/api.ts';
import { walletState } from '../../wallet/wallet-store.ts';
import { openConnection } from './connection.ts';
import { followPayment } from './follow-payment.ts';
import { type JournalEntry, readJournal } from './payment-journal.ts';
import { withPaymentLock } from './payment-lock.ts';
import { paymentProgress, setPaymentProgress } from './payment-progress.ts';

/** Goes on with every payment of the signed-in wallet on this network that was left before its end was known. */
export async function resumePayments(mutate: ScopedMutator): Promise<void> {
  const address = walletState().user?.walletAddress;
  const { network, rpcUrl } = await callApi<PublicConfig>(ENDPOINTS.config);
  const mine = readJournal().filter((entry) => entry.wallet === address && entry.network === network);
  if (rpcUrl !== null) await Promise.all(mine.map((entry) => resumePayment(entry, rpcUrl, mutate)));
}

/** Goes on with one payment, or waits for the tab that does. One that this tab follows already is left to it. */
export async function resumePayment(entry: JournalEntry, rpcUrl: string, mutate: ScopedMutator): Promise<void> {
  const known = paymentProgress(entry.postId);
  if (known?.entry.signature === entry.signature && known.outcome === null) return;
  setPaymentProgress({ entry, phase: 'sending', outcome: null });
  await withPaymentLock(entry, true, () => followPayment(entry, false, openConnection(rpcUrl), mutate));
}
