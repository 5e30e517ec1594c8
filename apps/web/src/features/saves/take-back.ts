import { ApiError } from '@archive/client';
import type { Save } from '@archive/contracts';
import { callApi } from '../../lib/api.ts';
import { showToast } from '../../ui/toasts.tsx';
import { walletState } from '../../wallet/wallet-store.ts';

/** Ends a request of one's own that is under way, and says what came of it. */
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
