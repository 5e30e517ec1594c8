import { ApiError } from '@archive/client';
import { printFilters, readFilters } from '@archive/contracts';
import { useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { callApi } from '../../lib/api.ts';
import { ASKED_ONCE } from '../../lib/use-config.ts';
import buttons from '../../ui/button.module.css';
import { BookmarkIcon } from '../../ui/later-icons.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { refreshSessionAnswer, useSessionAnswer } from '../../wallet/session-answer.ts';
import { loadSession } from '../../wallet/wallet-gate.tsx';
import { openWalletDialog, useWalletState } from '../../wallet/wallet-store.ts';

interface SaveSearchButtonProps {
  query: string;
  look?: 'word' | 'plain';
  /** Whether phones show the icon only. */
  isShort?: boolean;
}

/** Saves the page's filters as a search, which notifies of new matches. A visitor is asked to sign in. */
export function SaveSearchButton({ query, look = 'word', isShort = false }: SaveSearchButtonProps) {
  const { token } = useWalletState();
  const { mutate } = useSWRConfig();
  const saved = useSessionAnswer('listSearches', ASKED_ONCE).data?.data;
  // Normalised to the order in which the server stores filters.
  const asked = printFilters(readFilters(new URLSearchParams(query)));

  // Set by a press before the sign-in that it asks for.
  const isWanted = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a sign-in alone
  useEffect(() => {
    if (token !== null && isWanted.current) void save();
  }, [token]);

  async function save() {
    isWanted.current = token === null;
    if (token === null) return openWalletDialog();
    try {
      const { name } = await callApi('saveSearch', { token, body: { query } });
      refreshSessionAnswer('listSearches', mutate);
      showToast('done', `Saved as “${name}”. New posts are told on your dashboard.`);
    } catch (error) {
      (await loadSession()).endDeadSession(error);
      const isFull = error instanceof ApiError && error.code === 'too_many';
      showToast('error', isFull ? error.message : 'The search could not be saved. Please try again.');
    }
  }

  return (
    <button type="button" className={buttons[look]} onClick={() => void save()}>
      <BookmarkIcon size={14} />
      <span className={isShort ? 'wide-words' : undefined}>
        {saved?.some((one) => one.query === asked) ? 'Search saved' : 'Save this search'}
      </span>
    </button>
  );
}
