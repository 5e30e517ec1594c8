import type { Post } from '@archive/contracts';
import buttons from '../../ui/button.module.css';
import { CheckIcon, SparkIcon } from '../../ui/icons.tsx';
import { useWalletState } from '../../wallet/wallet-store.ts';
import styles from './launch-link.module.css';
import { openLaunch } from './launch-opener.tsx';
import { ALREADY_USED, SIGN_IN_TIP } from './launch-words.ts';

/** In cards and rows: a word among others. */
export function LaunchLink({ post }: { post: Post }) {
  const tip = useLaunchTip();
  if (post.launched) {
    return (
      <button type="button" className={`${buttons['word']} ${styles['launched']}`} disabled title={ALREADY_USED}>
        <CheckIcon size={14} />
        Launched
      </button>
    );
  }
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
  return useWalletState().user === null ? { title: SIGN_IN_TIP, 'data-tip': SIGN_IN_TIP } : {};
}
