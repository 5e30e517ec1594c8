import type { Archive } from '@archive/contracts';
import { CheckIcon, SparkIcon } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useWalletState, walletState } from '../../wallet/wallet-store.ts';
import styles from './launch-link.module.css';

export const ALREADY_USED = 'This tweet has already been used for a token launch';
const SIGN_IN = 'Sign in to launch token';
const CONNECT = 'Please connect your wallet and sign in to launch a token';
const SIGN_IN_FIRST = 'Please sign in to launch a token';
const NOT_YET = 'Launching is not open yet.';

/** In cards and rows: a word among others. */
export function LaunchLink({ post }: { post: Archive }) {
  const tip = useLaunchTip();
  if (post.launched) {
    return (
      <button type="button" className={styles['launched']} disabled title={ALREADY_USED}>
        <CheckIcon size={14} />
        Launched
      </button>
    );
  }
  return (
    <button type="button" className={styles['launch']} {...tip} onClick={launch}>
      <SparkIcon size={14} />
      Launch
    </button>
  );
}

export function useLaunchTip() {
  return useWalletState().user === null ? { title: SIGN_IN, 'data-tip': SIGN_IN } : {};
}

export function launch() {
  const { user, wallet } = walletState();
  showToast('error', wallet === null ? CONNECT : user === null ? SIGN_IN_FIRST : NOT_YET);
}
