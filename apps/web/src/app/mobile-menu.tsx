import { PRODUCT_NAME } from '@archive/contracts';
import { isCurrent, NAV_LINKS } from '../lib/routes.ts';
import buttons from '../ui/button.module.css';
import { WalletIcon } from '../ui/icons.tsx';
import { LeaveIcon } from '../ui/later-icons.tsx';
import { Link } from '../ui/link.tsx';
import { Mark } from '../ui/mark.tsx';
import { Modal } from '../ui/modal.tsx';
import { ThemeChoice } from '../ui/theme-choice.tsx';
import { logOut, logOutEverywhere } from '../wallet/wallet-gate.tsx';
import { openWalletDialog, useWalletState } from '../wallet/wallet-store.ts';
import { AdminLink } from './admin-link.tsx';
import styles from './mobile-menu.module.css';

interface MobileMenuProps {
  path: string;
  onClose: () => void;
}

/** The menu for windows narrower than 768 px; it slides in from the side. */
export function MobileMenu({ path, onClose }: MobileMenuProps) {
  const { user, wallet } = useWalletState();
  const afterClosing = (act: () => unknown) => () => {
    onClose();
    act();
  };
  return (
    <Modal
      title="Menu"
      kind="menu"
      onClose={onClose}
      heading={
        <span className={styles['brand']}>
          <Mark size={30} />
          <span className="shell-name">{PRODUCT_NAME}</span>
          <span className="visually-hidden"> menu</span>
        </span>
      }
    >
      <nav className={styles['links']} aria-label="Menu">
        {NAV_LINKS.map(({ href, label }) => (
          <Link key={href} href={href} aria-current={isCurrent(href, path) ? 'page' : undefined} onClick={onClose}>
            {label}
          </Link>
        ))}
        {user !== null && <AdminLink path={path} onClick={onClose} />}
      </nav>
      <div className={styles['foot']}>
        <div className={styles['theme']}>
          <span aria-hidden="true">Theme</span>
          <ThemeChoice />
        </div>
        {user === null ? (
          <button type="button" className={buttons['primary']} onClick={afterClosing(openWalletDialog)}>
            <WalletIcon />
            {wallet === null ? 'Connect wallet' : 'Sign in'}
          </button>
        ) : (
          <>
            <button type="button" className={buttons['plain']} onClick={afterClosing(logOut)}>
              <LeaveIcon />
              Logout
            </button>
            <button type="button" className={buttons['plain']} onClick={afterClosing(logOutEverywhere)}>
              <LeaveIcon />
              Sign out everywhere
            </button>
          </>
        )}
      </div>
    </Modal>
  );
}
