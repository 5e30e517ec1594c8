import { shorten } from '../lib/format.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { GridIcon, WalletIcon } from '../ui/icons.tsx';
import { LeaveIcon } from '../ui/later-icons.tsx';
import { Link } from '../ui/link.tsx';
import { logOut, logOutEverywhere } from '../wallet/wallet-gate.tsx';
import { openWalletDialog, useWalletState } from '../wallet/wallet-store.ts';
import styles from './wallet-menu.module.css';

/** The menu under the wallet button. */
export function WalletMenu({ address, onClose }: { address: string; onClose: () => void }) {
  const { wallet, isWalletExpected } = useWalletState();
  const afterClosing = (act: () => unknown) => () => {
    onClose();
    act();
  };
  return (
    <>
      <p className={styles['address']}>
        <span>{shorten(address)}</span>
        <CopyButton text={address} label="Copy wallet address" />
      </p>
      <ul className={styles['items']}>
        <li>
          <Link href="/dashboard" onClick={onClose}>
            <GridIcon size={15} />
            Dashboard
          </Link>
        </li>
        {wallet === null && !isWalletExpected && (
          <li>
            <button type="button" onClick={afterClosing(openWalletDialog)}>
              <WalletIcon size={15} />
              Connect wallet
            </button>
          </li>
        )}
        <li>
          <button type="button" onClick={afterClosing(logOut)}>
            <LeaveIcon size={15} />
            Logout
          </button>
        </li>
        <li>
          <button type="button" onClick={afterClosing(logOutEverywhere)}>
            <LeaveIcon size={15} />
            Sign out everywhere
          </button>
        </li>
      </ul>
    </>
  );
}
