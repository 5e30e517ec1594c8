import { useCallback, useEffect, useRef, useState } from 'react';
import { PaymentResumer } from '../features/featuring/payment-resumer.tsx';
import { LaunchHost } from '../features/launches/launch-opener.tsx';
import { decodeSegment } from '../lib/decode-segment.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { ToastHost } from '../ui/toasts.tsx';
import { WalletGate } from '../wallet/wallet-gate.tsx';
import { Footer } from './footer.tsx';
import { Navbar } from './navbar.tsx';
import { ArchivePage } from './pages/archive-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { useViewLocation } from './view-location.ts';

const AuthorPage = lazyPart(() => import('./pages/author-page.tsx').then((part) => part.AuthorPage));
const DashboardPage = lazyPart(() => import('./pages/dashboard-page.tsx').then((part) => part.DashboardPage));
const PostPage = lazyPart(() => import('./pages/post-page.tsx').then((part) => part.PostPage));
const PostOverlay = lazyPart(() => import('./pages/post-page.tsx').then((part) => part.PostOverlay));
const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog.tsx').then((part) => part.ShortcutsDialog));

export function App() {
  const { path, search, openedPost } = useViewLocation();
  const [areKeysShown, setAreKeysShown] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcuts(useCallback(() => setAreKeysShown(true), []));

  // Another page starts at its top, and for readers at its heading.
  const drawn = useRef(path);
  useEffect(() => {
    if (drawn.current === path) return;
    drawn.current = path;
    window.scrollTo({ top: 0 });
    (main.current?.querySelector<HTMLElement>('[data-page-title]') ?? main.current)?.focus({ preventScroll: true });
  }, [path]);

  // The code of an opened post is fetched once the page has come to rest.
  useEffect(() => {
    const timer = setTimeout(PostOverlay.prefetch, 2500);
    return () => clearTimeout(timer);
  }, []);

  return (
    <>
      <Navbar path={path} />
      <main id="main" ref={main} tabIndex={-1} className="shell-main">
        <Page path={path} search={search} />
      </main>
      <Footer onKeys={() => setAreKeysShown(true)} />
      {openedPost !== null && <PostOverlay key={openedPost} id={openedPost} />}
      <LaunchHost />
      {areKeysShown && <ShortcutsDialog onClose={() => setAreKeysShown(false)} />}
      <WalletGate />
      <PaymentResumer />
      <ToastHost />
    </>
  );
}

function Page({ path, search }: { path: string; search: string }) {
  if (path === '/') return <ArchivePage search={search} />;
  if (path === '/dashboard') return <DashboardPage />;
  const [, place, segment, ...rest] = path.split('/');
  if (segment !== undefined && segment !== '' && rest.length === 0) {
    const name = decodeSegment(segment);
    if (place === 'post') return <PostPage key={name} id={name} />;
    if (place === 'author') return <AuthorPage key={name} handle={name} search={search} />;
  }
  return <NotFoundPage />;
}
