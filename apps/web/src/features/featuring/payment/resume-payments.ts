import type { ScopedMutator } from 'swr';
import { callApi } from '../../../lib/api.ts';
import { walletState } from '../../../wallet/wallet-store.ts';
import { resumePayment } from './follow-payment.ts';
import { readJournal } from './payment-journal.ts';

/** Resumes every unfinished payment of the signed-in wallet on this network. */
export async function resumePayments(mutate: ScopedMutator): Promise<void> {
  const address = walletState().user?.walletAddress;
  const { network, rpcUrl } = await callApi('config');
  const mine = readJournal().filter((entry) => entry.wallet === address && entry.network === network);
  if (rpcUrl !== null) await Promise.all(mine.map((entry) => resumePayment(entry, rpcUrl, mutate)));
}
