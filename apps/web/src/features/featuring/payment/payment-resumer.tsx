import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { useWalletState } from '../../../wallet/wallet-store.ts';
import { hasPaymentsUnderWay } from './payment-key.ts';

/** Resumes payments that a closed tab left unfinished, once the session is known. */
export function PaymentResumer() {
  const address = useWalletState().user?.walletAddress;
  const { mutate } = useSWRConfig();
  useEffect(() => {
    if (address === undefined || !hasPaymentsUnderWay()) return;
    loadChunk(() => import('./resume-payments.ts'))
      .then((part) => part.resumePayments(mutate))
      .catch(() => {});
  }, [address, mutate]);
  return null;
}
