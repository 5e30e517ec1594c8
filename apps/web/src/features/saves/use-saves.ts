import { ApiError, addressOf } from '@archive/client';
import { ENDPOINTS, type Save, type SavePage, type SaveState } from '@archive/contracts';
import useSWR, { type ScopedMutator } from 'swr';
import { callApi } from '../../lib/api.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useWalletState, walletState } from '../../wallet/wallet-store.ts';
import { isOpen } from './save-words.ts';

/** Milliseconds between polls with unfinished requests, and without; only while the page is visible. */
const BUSY_MS = 2_000;
const QUIET_MS = 15_000;

export interface SavesQuery {
  page?: number;
  limit?: number;
  state?: SaveState | 'open' | undefined;
  mine?: 'true' | undefined;
}

/** One page of save requests, polled. One's own requests load after the sign-in. */
export function useSaves(query: SavesQuery) {
  const { token } = useWalletState();
  const own = query.mine === undefined ? null : token;
  const isAsked = query.mine === undefined || token !== null;
  const key = `${addressOf('listSaves', { query })}#${own?.slice(-16) ?? ''}`;
  const { data, error, isLoading, mutate } = useSWR<SavePage>(
    isAsked ? key : null,
    () => callApi('listSaves', { query, token: own }),
    { keepPreviousData: true, refreshInterval: (page) => (page?.data.some(isOpen) ? BUSY_MS : QUIET_MS) },
  );
  return { page: isAsked ? data : undefined, error: error as unknown, isLoading, reload: () => void mutate() };
}

/** Reloads the save requests that are on screen. */
export function refreshSaves(mutate: ScopedMutator): void {
  mutate((key) => typeof key === 'string' && key.startsWith(`${ENDPOINTS.listSaves.path}`)).catch(() => {});
}

/** Cancels one's own unfinished request and reports the result. */
export async function takeBack({ _id }: Save, reload: () => void): Promise<void> {
  const { token } = walletState();
  try {
    await callApi('takeBackSave', { token, params: { save: _id } });
    showToast('done', 'Your request is taken back. Nothing is saved.');
  } catch (failure) {
    const isTold = failure instanceof ApiError && failure.status === 409;
    showToast('error', isTold ? failure.message : 'It could not be taken back. Please try again.');
  }
  reload();
}
