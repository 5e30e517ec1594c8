import { PRODUCT_NAME } from '@archive/contracts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { BlankPage } from '../../ui/blank-page.tsx';

export function DashboardPage() {
  usePageTitle(`Dashboard, ${PRODUCT_NAME}`);
  return <BlankPage title="Dashboard" text="Please connect your wallet to view your dashboard" />;
}
