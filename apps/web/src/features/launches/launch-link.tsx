import type { Archive } from '@archive/contracts';
import buttons from '../../ui/button.module.css';
import { CheckIcon, SparkIcon } from '../../ui/icons.tsx';
import { useWalletState } from '../../wallet/wallet-store.ts';
import styles from './launch-link.module.css';
import { openLaunch } from './launch-opener.tsx';
import { ALREADY_USED } from './launch-words.ts';

const SIGN_IN = 'Sign in to launch token';

/** In cards and rows: a word among others. */
export function LaunchLink({ post }: { post: Archive }) {
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
  return useWalletState().user === null ? { title: SIGN_IN, 'data-tip': SIGN_IN } : {};
}
