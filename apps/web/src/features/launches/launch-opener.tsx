import type { Post } from '@archive/contracts';
import { type ComponentType, useSyncExternalStore } from 'react';
import { followers } from '../../lib/followers.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { showToast } from '../../ui/toasts.tsx';
import { CONNECT_WALLET, walletState } from '../../wallet/wallet-store.ts';
import { CONNECT_TO_LAUNCH, LAUNCH_FAILED, SIGN_IN_TO_LAUNCH } from './launch-words.ts';

interface Opened {
  post: Post;
  Sheet: ComponentType<{ post: Post; onClose: () => void }>;
}

let opened: Opened | null = null;
const [subscribe, announce] = followers();

/** Opens the form for a signed-in person, and while the session is still loading. Tells a visitor to sign in. */
export function openLaunch(post: Post): void {
  const { user, wallet, restoring, isWalletExpected } = walletState();
  if (wallet === null && !isWalletExpected) showToast('missing', CONNECT_TO_LAUNCH, CONNECT_WALLET);
  else if (user === null && restoring === null) showToast('missing', SIGN_IN_TO_LAUNCH, CONNECT_WALLET);
  else {
    loadChunk(() => import('./launch-sheet.tsx')).then(
      ({ LaunchSheet: Sheet }) => change({ post, Sheet }),
      () => showToast('error', LAUNCH_FAILED),
    );
  }
}

/** Renders the form for all cards, rows and dialogs. */
export function LaunchHost() {
  const shown = useSyncExternalStore(subscribe, () => opened);
  return shown && <shown.Sheet key={shown.post._id} post={shown.post} onClose={() => change(null)} />;
}

function change(next: Opened | null): void {
  opened = next;
  announce();
}
