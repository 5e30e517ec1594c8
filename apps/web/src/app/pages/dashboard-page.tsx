import { PRODUCT_NAME, type User } from '@archive/contracts';
import { AccountPanel } from '../../features/account/account-panel.tsx';
import { CollectionsPanel } from '../../features/collections/collections-panel.tsx';
import { Dashboard } from '../../features/dashboard/dashboard.tsx';
import { CreditsPanel } from '../../features/featuring/credits-panel.tsx';
import { PaidPanel } from '../../features/featuring/paid-panel.tsx';
import { useLaunchedTokens } from '../../features/launches/launched-tokens.ts';
import { NoticeSwitches } from '../../features/notices/notice-switches.tsx';
import { NoticesPanel } from '../../features/notices/notices-panel.tsx';
import { useGivenReactions } from '../../features/reactions/given-reactions.ts';
import { SearchesPanel } from '../../features/searches/searches-panel.tsx';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { logOut, prefetchWallet } from '../../wallet/wallet-gate.tsx';
import { openWalletDialog, useWalletState } from '../../wallet/wallet-store.ts';

export function DashboardPage() {
  usePageTitle(`Dashboard, ${PRODUCT_NAME}`);
  const { user, restoring } = useWalletState();
  if (user !== null) return <OwnDashboard user={user} />;
  if (restoring !== null) {
    return (
      <div className="shell-fill">
        <p role="status" className="visually-hidden">
          Loading your dashboard...
        </p>
      </div>
    );
  }
  return (
    <BlankPage title="Dashboard" text="Please connect your wallet to view your dashboard">
      <button
        type="button"
        className={buttons['plain']}
        onClick={openWalletDialog}
        onPointerEnter={prefetchWallet}
        onFocus={prefetchWallet}
      >
        Connect wallet
      </button>
    </BlankPage>
  );
}

function OwnDashboard({ user }: { user: User }) {
  const { given, error } = useGivenReactions();
  const { launches, error: launchesError } = useLaunchedTokens();
  return (
    <Dashboard
      user={user}
      given={given}
      launches={launches}
      hasFailed={{ given: error !== undefined, launches: launchesError !== undefined }}
      onLogout={() => void logOut()}
      credits={<CreditsPanel />}
      notices={<NoticeSwitches />}
      account={<AccountPanel />}
      kept={
        <>
          <NoticesPanel />
          <SearchesPanel />
          <CollectionsPanel />
          <PaidPanel />
        </>
      }
    />
  );
}
