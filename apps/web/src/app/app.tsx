import { useCallback, useEffect, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { countFilters } from '../features/archive/active-filters.ts';
import { FilterChips } from '../features/archive/result-row.tsx';
import { parseView } from '../features/archive/view-state.ts';
import { PaymentResumer } from '../features/featuring/payment/payment-resumer.tsx';
import { LaunchHost } from '../features/launches/launch-opener.tsx';
import { pageShown } from '../lib/page-shown.ts';
import { matchRoute } from '../lib/routes.ts';
import { useViewLocation } from '../lib/view-location.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { ToastHost } from '../ui/toasts.tsx';
import { WalletGate } from '../wallet/wallet-gate.tsx';
import { Footer } from './footer.tsx';
import { Maintenance } from './maintenance.tsx';
import { Navbar } from './navbar.tsx';
import { ArchivePage } from './pages/archive-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const AdminPage = lazyPart(() => import('./admin/admin-page.tsx').then((part) => part.AdminPage));
const AuthorPage = lazyPart(() => import('./pages/author-page.tsx').then((part) => part.AuthorPage));
const CollectionPage = lazyPart(() => import('./pages/collection-page.tsx').then((part) => part.CollectionPage));
const DashboardPage = lazyPart(() => import('./pages/dashboard-page.tsx').then((part) => part.DashboardPage));
const ExplorePage = lazyPart(
  () => import('./pages/explore-page.tsx').then((part) => part.ExplorePage),
  <div className="shell-fill" />,
  undefined,
  <Maintenance onRetry={() => window.location.reload()} />,
);
const PostPage = lazyPart(() => import('./pages/post-page.tsx').then((part) => part.PostPage));
const PostOverlay = lazyPart(() => import('./pages/post-page.tsx').then((part) => part.PostOverlay));
const PrivacyPage = lazyPart(() => import('./pages/privacy-page.tsx').then((part) => part.PrivacyPage));
const ProgramsPage = lazyPart(() => import('./pages/programs-page.tsx').then((part) => part.ProgramsPage));
const ReportPage = lazyPart(() => import('./pages/report-page.tsx').then((part) => part.ReportPage));
const SavePage = lazyPart(() => import('./pages/save-page.tsx').then((part) => part.SavePage));
const SavesPage = lazyPart(() => import('./pages/saves-page.tsx').then((part) => part.SavesPage));
const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog.tsx').then((part) => part.ShortcutsDialog));

/** Prefetches the code that the page at this address needs besides the shared code. */
export async function fetchParts(path: string, search: string): Promise<void> {
  const { route } = matchRoute(path);
  const page = { '/author/:handle': AuthorPage, '/explore': ExplorePage, '/post/:id': PostPage }[route as string];
  await Promise.all([page?.prefetch(), countFilters(parseView(search)) > 0 && FilterChips.prefetch()]);
}

export function App() {
  const { path, search, openedPost } = useViewLocation();
  const [areKeysShown, setAreKeysShown] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcuts(useCallback(() => setAreKeysShown(true), []));

  // A new page starts at its top and moves the focus to its heading, for screen readers.
  const drawn = useRef(path);
  useEffect(() => {
    if (drawn.current === path) return;
    drawn.current = path;
    window.scrollTo({ top: 0 });
    (main.current?.querySelector<HTMLElement>('[data-page-title]') ?? main.current)?.focus({ preventScroll: true });
  }, [path]);

  useEffect(() => {
    pageShown()
      .then(() => import('../ui/fonts-ext.css'))
      .catch(() => {});
  }, []);

  // Loads later, once the page is idle: the code of an opened post, the offline part, and the handling of removed
  // posts.
  const { cache, mutate } = useSWRConfig();
  useEffect(() => {
    let stop: (() => void) | null = null;
    const timer = setTimeout(() => {
      PostOverlay.prefetch();
      import('./offline.tsx').then((part) => part.startOffline()).catch(() => {});
      import('../lib/let-go.ts').then((part) => (stop ??= part.letGoOfRemoved(cache, mutate))).catch(() => {});
    }, 2500);
    return () => {
      clearTimeout(timer);
      stop?.();
      stop = () => {};
    };
  }, [cache, mutate]);

  return (
    <>
      <Navbar path={path} />
      <main id="main" ref={main} tabIndex={-1} className="shell-main">
        <Page path={path} search={search} />
      </main>
      <Footer onKeys={() => setAreKeysShown(true)} />
      {openedPost !== null && <PostOverlay id={openedPost} path={path} search={search} />}
      <LaunchHost />
      {areKeysShown && <ShortcutsDialog onClose={() => setAreKeysShown(false)} />}
      <WalletGate />
      <PaymentResumer />
      <ToastHost />
    </>
  );
}

function Page({ path, search }: { path: string; search: string }) {
  const { route, name } = matchRoute(path);
  switch (route) {
    case '/':
      return <ArchivePage search={search} />;
    case '/explore':
      return <ExplorePage />;
    case '/dashboard':
      return <DashboardPage />;
    case '/save':
      return <SavePage search={search} />;
    case '/saves':
      return <SavesPage search={search} />;
    case '/privacy':
      return <PrivacyPage />;
    case '/programs':
      return <ProgramsPage />;
    case '/collection/:id':
      return <CollectionPage key={name} id={name} search={search} />;
    case '/post/:id':
      return <PostPage key={name} id={name} search={search} />;
    case '/report/:secret':
      return <ReportPage key={name} secret={name} />;
    case '/admin':
    case '/admin/:page':
      return <AdminPage name={name} />;
    case '/author/:handle':
      return <AuthorPage key={name} handle={name} search={search} />;
    default:
      return <NotFoundPage />;
  }
}
