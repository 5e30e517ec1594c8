import type { Archive } from '@archive/contracts';
import { type ComponentType, useSyncExternalStore } from 'react';
import { followers } from '../../lib/followers.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { showToast } from '../../ui/toasts.tsx';
import { walletState } from '../../wallet/wallet-store.ts';
import { LAUNCH_FAILED } from './launch-words.ts';

const CONNECT = 'Please connect your wallet and sign in to launch a token';
const SIGN_IN = 'Please sign in to launch a token';

interface Opened {
  post: Archive;
  Sheet: ComponentType<{ post: Archive; onClose: () => void }>;
}

let opened: Opened | null = null;
const [subscribe, announce] = followers();

/** Opens the form for whoever is signed in, or may still turn out to be; says what is missing to the others. */
export function openLaunch(post: Archive): void {
  const { user, wallet, restoring, isWalletExpected } = walletState();
  const missing = wallet === null && !isWalletExpected ? CONNECT : user === null && restoring === null ? SIGN_IN : null;
  if (missing !== null) {
    showToast('error', missing);
    return;
  }
  loadChunk(() => import('./launch-sheet.tsx')).then(
    ({ LaunchSheet: Sheet }) => change({ post, Sheet }),
    () => showToast('error', LAUNCH_FAILED),
  );
}

/** Where the form stands, whatever card, row or dialog it was opened from. */
export function LaunchHost() {
  const shown = useSyncExternalStore(subscribe, () => opened);
  return shown && <shown.Sheet key={shown.post._id} post={shown.post} onClose={() => change(null)} />;
}

function change(next: Opened | null): void {
  opened = next;
  announce();
}
