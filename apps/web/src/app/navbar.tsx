import { PRODUCT_NAME } from '@archive/contracts';
import { useState } from 'react';
import { hasOwnSearch, isCurrent, NAV_LINKS } from '../lib/routes.ts';
import buttons from '../ui/button.module.css';
import { MenuIcon } from '../ui/icons.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Link } from '../ui/link.tsx';
import { Mark } from '../ui/mark.tsx';
import { useWalletState } from '../wallet/wallet-store.ts';
import { BarSearch } from './bar-search.tsx';
import styles from './navbar.module.css';
import { ThemeMenu } from './theme-control.tsx';
import { WalletButton } from './wallet-button.tsx';

const NoticeBell = lazyPart(() => import('../features/notices/notice-bell.tsx').then((part) => part.NoticeBell));
const AdminLink = lazyPart(() => import('./admin-link.tsx').then((part) => part.AdminLink));
const MobileMenu = lazyPart(() => import('./mobile-menu.tsx').then((part) => part.MobileMenu));

export function Navbar({ path }: { path: string }) {
  const { user } = useWalletState();
  const [isMenuOpen, setIsMenuOpen] = useState(false);

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
            {NAV_LINKS.map(({ href, label }) => (
              <Link key={href} href={href} aria-current={isCurrent(href, path) ? 'page' : undefined}>
                {label}
              </Link>
            ))}
            {user !== null && <AdminLink path={path} />}
          </nav>
          <div className={styles['tools']}>
            {!hasOwnSearch(path) && <BarSearch />}
            <div className={styles['wide']}>
              <ThemeMenu />
            </div>
            {user !== null && <NoticeBell />}
            <WalletButton />
            <div className={styles['narrow']}>
              <button
                type="button"
                className={buttons['icon']}
                aria-label="Menu"
                aria-haspopup="dialog"
                onClick={() => setIsMenuOpen(true)}
                onPointerEnter={MobileMenu.prefetch}
              >
                <MenuIcon size={18} />
              </button>
            </div>
          </div>
        </div>
      </header>
      {isMenuOpen && <MobileMenu path={path} onClose={() => setIsMenuOpen(false)} />}
    </>
  );
}
