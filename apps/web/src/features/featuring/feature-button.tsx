import buttons from '../../ui/button.module.css';
import { StarIcon } from '../../ui/icons.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { CONNECT_WALLET, walletState } from '../../wallet/wallet-store.ts';
import { CONNECT_FIRST } from './payment/feature-errors.ts';

/** Opens the sheet for a signed-in person, and while the session is still loading. Tells a visitor to sign in. */
export function FeatureButton({ onOpen }: { onOpen: () => void }) {
  function press() {
    const { user, wallet, restoring, isWalletExpected } = walletState();
    const isSignedIn = user !== null || restoring !== null;
    if (isSignedIn && (wallet !== null || isWalletExpected)) onOpen();
    else showToast('missing', CONNECT_FIRST, CONNECT_WALLET);
  }
  return (
    <button type="button" className={buttons['gold']} aria-haspopup="dialog" onClick={press}>
      <StarIcon size={15} />
      Feature This Tweet
    </button>
  );
}
