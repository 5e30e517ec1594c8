import buttons from '../../ui/button.module.css';
import { StarIcon } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toasts.tsx';

const CONNECT = 'Please connect your wallet and sign in to feature this tweet';

export function FeatureButton() {
  return (
    <button type="button" className={buttons['gold']} onClick={() => showToast('error', CONNECT)}>
      <StarIcon size={15} />
      Feature This Tweet
    </button>
  );
}
