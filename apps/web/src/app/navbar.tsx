import { PRODUCT_NAME } from '@archive/contracts';
import { useState } from 'react';
import buttons from '../ui/button.module.css';
import { MenuIcon, WalletIcon } from '../ui/icons.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Link } from '../ui/link.tsx';
import { Mark } from '../ui/mark.tsx';
import { Modal } from '../ui/modal.tsx';
import styles from './navbar.module.css';
import { ThemeChoice, ThemeMenu } from './theme-control.tsx';

const WalletDialog = lazyPart(() => import('../wallet/wallet-dialog.tsx').then((part) => part.WalletDialog));

const PLACES = [
  { href: '/', label: 'Archive' },
  { href: '/dashboard', label: 'Dashboard' },
] as const;

export function Navbar({ path }: { path: string }) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [isWalletOpen, setIsWalletOpen] = useState(false);

  function openWallet() {
    setIsMenuOpen(false);
    setIsWalletOpen(true);
  }

  return (
    <>
      <a className={styles['skip']} href="#main">
        Skip to the content
      </a>
      <header className="shell-bar">
        <div className="shell-bar-inner">
          <Link href="/" className={styles['brand']}>
            <Mark size={30} />
            <span className="shell-name">{PRODUCT_NAME}</span>
          </Link>
          <nav className={styles['links']} aria-label="Main">
            {PLACES.map(({ href, label }) => (
              <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
                {label}
              </Link>
            ))}
          </nav>
          <div className={styles['tools']}>
            <div className={styles['wide']}>
              <ThemeMenu />
            </div>
            <button
              type="button"
              className={buttons['primary']}
              aria-haspopup="dialog"
              onClick={openWallet}
              onPointerEnter={WalletDialog.prefetch}
            >
              <WalletIcon />
              <span>
                Connect<span className={styles['wide-word']}> wallet</span>
              </span>
            </button>
            <div className={styles['narrow']}>
              <button
                type="button"
                className={buttons['icon']}
                aria-label="Menu"
                aria-haspopup="dialog"
                onClick={() => setIsMenuOpen(true)}
              >
                <MenuIcon size={18} />
              </button>
            </div>
          </div>
        </div>
      </header>
      {isMenuOpen && (
        <Modal
          title="Menu"
          kind="menu"
          onClose={() => setIsMenuOpen(false)}
          heading={
            <span className={styles['menu-brand']}>
              <Mark size={30} />
              <span className="shell-name">{PRODUCT_NAME}</span>
              <span className="visually-hidden"> menu</span>
            </span>
          }
        >
          <nav className={styles['menu-links']} aria-label="Menu">
            {PLACES.map(({ href, label }) => (
              <Link
                key={href}
                href={href}
                aria-current={path === href ? 'page' : undefined}
                onClick={() => setIsMenuOpen(false)}
              >
                {label}
              </Link>
            ))}
          </nav>
          <div className={styles['menu-foot']}>
            <div className={styles['menu-theme']}>
              <span aria-hidden="true">Theme</span>
              <ThemeChoice />
            </div>
            <button type="button" className={buttons['primary']} onClick={openWallet}>
              <WalletIcon />
              Connect wallet
            </button>
          </div>
        </Modal>
      )}
      {isWalletOpen && <WalletDialog onClose={() => setIsWalletOpen(false)} />}
    </>
  );
}
