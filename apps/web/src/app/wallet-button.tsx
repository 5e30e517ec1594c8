import { shorten } from '../lib/format.ts';
import { Avatar } from '../ui/avatar.tsx';
import buttons from '../ui/button.module.css';
import { WalletIcon } from '../ui/icons.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useUnfold } from '../ui/use-unfold.ts';
import { prefetchWallet } from '../wallet/wallet-gate.tsx';
import { openWalletDialog, useWalletState } from '../wallet/wallet-store.ts';
import styles from './wallet-button.module.css';

const WalletMenu = lazyPart(() => import('./wallet-menu.tsx').then((part) => part.WalletMenu));

/** The wallet button of the bar: the sign-in, or the signed-in wallet. */
export function WalletButton() {
  const { user, wallet, restoring } = useWalletState();
  const { isOpen, close, root, button } = useUnfold();
  const address = user?.walletAddress ?? restoring?.address;

  if (!address) {
    return (
      <button
        type="button"
        className={buttons['primary']}
        aria-haspopup="dialog"
        onClick={openWalletDialog}
        onPointerEnter={prefetchWallet}
        onFocus={prefetchWallet}
      >
        <WalletIcon />
        {wallet === null ? (
          <span>
            Connect<span className={styles['wideWord']}> wallet</span>
          </span>
        ) : (
          'Sign in'
        )}
      </button>
    );
  }
  return (
    <div className="unfolds" ref={root}>
      <button
        {...button}
        data-account
        className={`${buttons['plain']} ${styles['account']}`}
        onPointerEnter={WalletMenu.prefetch}
      >
        <Avatar name={user?.profileSettings.displayName || address} handle={address} address={null} size={22} />
        <span className="visually-hidden">Wallet </span>
        {shorten(address)}
      </button>
      <div id={button['aria-controls']} className={styles['panel']} hidden={!isOpen}>
        {isOpen && <WalletMenu address={address} onClose={close} />}
      </div>
    </div>
  );
}
