import { PRODUCT_NAME } from '@archive/contracts';
import { Dashboard } from '../../features/dashboard/dashboard.tsx';
import { CreditsPanel } from '../../features/featuring/credits-panel.tsx';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { prefetchWallet } from '../../wallet/wallet-gate.tsx';
import { openWalletDialog, useWalletState } from '../../wallet/wallet-store.ts';
import { logOut } from '../wallet-menu.tsx';

export function DashboardPage() {
  usePageTitle(`Dashboard, ${PRODUCT_NAME}`);
  const { user, restoring } = useWalletState();
  if (user !== null) {
    return <Dashboard user={user} onLogout={() => void logOut()} credits={<CreditsPanel />} />;
  }
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
