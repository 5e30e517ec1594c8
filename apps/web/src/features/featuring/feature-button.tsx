import buttons from '../../ui/button.module.css';
import { StarIcon } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { walletState } from '../../wallet/wallet-store.ts';

const NOT_YET = 'Featuring is not open yet.';
const CONNECT = 'Please connect your wallet and sign in to feature this tweet';

export function FeatureButton() {
  return (
    <button type="button" className={buttons['gold']} onClick={feature}>
      <StarIcon size={15} />
      Feature This Tweet
    </button>
  );
}

function feature() {
  const { user, wallet } = walletState();
  showToast('error', user === null || wallet === null ? CONNECT : NOT_YET);
}
