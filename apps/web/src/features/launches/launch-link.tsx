import type { Post } from '@archive/contracts';
import { useConfig } from '../../lib/use-config.ts';
import buttons from '../../ui/button.module.css';
import { CheckIcon, SparkIcon } from '../../ui/icons.tsx';
import { useWalletState } from '../../wallet/wallet-store.ts';
import styles from './launch-link.module.css';
import { openLaunch } from './launch-opener.tsx';
import { ALREADY_USED, PAUSED_TIP, SIGN_IN_TIP } from './launch-words.ts';

/** The launch link on cards and rows, if launching is open. */
export function LaunchLink({ post }: { post: Post }) {
  const tip = useLaunchTip();
  const isPaused = useIsPaused();
  if (post.launched) {
    return (
      <button type="button" className={`${buttons['word']} ${styles['launched']}`} disabled title={ALREADY_USED}>
        <CheckIcon size={14} />
        Launched
      </button>
    );
  }
  if (isPaused) return null;
  return (
    <button
      type="button"
      className={`${buttons['word']} ${styles['launch']}`}
      {...tip}
      onClick={() => openLaunch(post)}
    >
      <SparkIcon size={14} />
      Launch
    </button>
  );
}

export function useLaunchTip() {
  const isPaused = useIsPaused();
  const isVisitor = useWalletState().user === null;
  const tip = isPaused ? PAUSED_TIP : SIGN_IN_TIP;
  return isPaused || isVisitor ? { title: tip, 'data-tip': tip } : {};
}

/** Whether launching is closed, according to the settings loaded so far. */
export function useIsPaused(): boolean {
  return useConfig()?.launchPlatform === null;
}
