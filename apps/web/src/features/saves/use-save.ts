import { ApiError } from '@archive/client';
import type { Save } from '@archive/contracts';
import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { callApi, useAnswer } from '../../lib/api.ts';
import { loadSession } from '../../wallet/wallet-gate.tsx';
import { openWalletDialog, walletState } from '../../wallet/wallet-store.ts';
import { isOpen } from './save-words.ts';
import { refreshSaves } from './use-saves.ts';

const LOOK_MS = 1_000;

/** Requests a save and follows it while the page is visible. */
export function useSave() {
  const [asked, setAsked] = useState<Save | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { mutate } = useSWRConfig();
  const { data: save = null } = useAnswer('getSave', asked === null ? null : { params: { save: asked._id } }, {
    ...(asked === null ? {} : { fallbackData: asked }),
    refreshInterval: (known) => (known !== undefined && isOpen(known) ? LOOK_MS : 0),
  });
  const told = save && `${save._id} ${save.state}`;
  // Reloads the lists beside it, so that they show the same state.
  useEffect(() => {
    if (told !== null) refreshSaves(mutate);
  }, [told, mutate]);

  async function ask(url: string): Promise<void> {
    const { token } = walletState();
    if (token === null) return openWalletDialog();
    setIsAsking(true);
    setError(null);
    try {
      setAsked(await callApi('createSave', { body: { url }, token }));
    } catch (failure) {
      setAsked(null);
      setError(failure instanceof ApiError ? failure.message : 'The request could not be sent.');
      loadSession().then(
        (session) => session.endDeadSession(failure),
        () => {},
      );
    } finally {
      setIsAsking(false);
    }
  }

  return { save: asked === null ? null : save, isAsking, error, ask };
}
