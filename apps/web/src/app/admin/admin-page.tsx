import { ApiError } from '@archive/client';
import { PRODUCT_NAME, ROLES } from '@archive/contracts';
import { useEffect, useRef } from 'react';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { ShieldIcon } from '../../ui/later-icons.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSessionAnswer } from '../../wallet/session-answer.ts';
import { openWalletDialog, useWalletState } from '../../wallet/wallet-store.ts';
import { NotFoundPage } from '../pages/not-found-page.tsx';
import styles from './admin-page.module.css';
import { ADMIN_PAGES } from './admin-pages.ts';

/** The operators' pages. Anyone else gets the "not found" page. */
export function AdminPage({ name }: { name: string }) {
  usePageTitle(`Admin, ${PRODUCT_NAME}`);
  const { user, restoring } = useWalletState();
  // If the same wallet signs in again, the page keeps its state: a dialog may be open, or a key may be on screen.
  const { data, error, reload } = useSessionAnswer('adminMe', { shouldRetryOnError: false, keepPreviousData: true });
  const me = data?.wallet === user?.walletAddress ? data : undefined;
  const today = useSessionAnswer('adminToday', { shouldRetryOnError: false });
  const nav = useRef<HTMLElement>(null);
  const isShown = me !== undefined;
  // On phones the list of pages scrolls sideways. Scroll the current page's link into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: both change what is current.
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && current) {
      nav.current.scrollLeft = current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2;
    }
  }, [name, isShown]);

  if (user === null && restoring === null) {
    return (
      <BlankPage title="Sign in first" text="This page is for operators. Please connect your wallet.">
        <button type="button" className={buttons['primary']} onClick={openWalletDialog}>
          Connect wallet
        </button>
      </BlankPage>
    );
  }
  if (error instanceof ApiError && error.status === 404) {
    if (me === undefined) return <NotFoundPage />;
    return (
      <BlankPage
        title="You are an operator no longer"
        text="Your role was taken away. Nothing you did before is lost."
        pale
      >
        <Link href="/" className={buttons['plain']}>
          Go to the archive
        </Link>
      </BlankPage>
    );
  }
  if (me === undefined) {
    if (error !== undefined)
      return <Notice title="This could not be loaded." detail="Nothing is lost." onRetry={reload} />;
    return <p role="status">Loading...</p>;
  }

  const pages = ADMIN_PAGES.filter(({ role }) => ROLES.indexOf(me.role) >= ROLES.indexOf(role));
  const page = name === '' ? pages[0] : pages.find((one) => one.name === name);
  if (page === undefined) return <NotFoundPage />;
  const { Part } = page;
  return (
    <div className={styles['admin']}>
      <nav ref={nav} className={styles['nav']} aria-label="Admin">
        <p className={styles['mark']}>
          <ShieldIcon size={14} />
          Admin
        </p>
        {pages.map(({ name: own, label, waiting }) => {
          const count = today.data && waiting?.(today.data);
          return (
            <Link key={own} href={`/admin/${own}`} aria-current={own === page.name ? 'page' : undefined}>
              {label}
              {count !== undefined && count > 0 && (
                <b>
                  {count}
                  <span className="visually-hidden"> waiting</span>
                </b>
              )}
            </Link>
          );
        })}
      </nav>
      <div className={styles['page']}>
        <Part me={me} />
      </div>
    </div>
  );
}
