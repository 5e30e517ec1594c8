import type { AnswerOf, SuspendedWallet } from '@archive/contracts';
import { useCallback } from 'react';
import { shorten } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import buttons from '../../ui/button.module.css';
import { ChainValue } from '../../ui/chain-value.tsx';
import { type Act, useActs } from './act-dialog.tsx';
import heads from './admin-head.module.css';
import { AdminHead } from './admin-head.tsx';
import { AdminList, type Column, RowAct } from './admin-list.tsx';
import { useAdminCall } from './use-admin-call.ts';
import { useAdminList } from './use-admin-list.ts';
import styles from './wallets-page.module.css';

type Operator = AnswerOf<'listOperators'>['data'][number];

const WALLET_FIELD = (
  <label className="field">
    <span>The wallet’s address</span>
    <input name="wallet" required autoComplete="off" spellCheck={false} />
  </label>
);
const SUSPENDED: Column<SuspendedWallet>[] = [
  { name: 'Wallet', of: ({ wallet }) => <ChainValue value={wallet} href={null} copyLabel="Copy the wallet" /> },
  { name: 'Since', of: ({ since }) => formatMoment(since) },
  { name: 'By', of: ({ by }) => shorten(by) },
  { name: 'Why', isLong: true, of: ({ reason }) => reason !== null && <bdi>{reason}</bdi> },
];
const OPERATORS: Column<Operator>[] = [
  { name: 'Wallet', of: ({ wallet }) => <ChainValue value={wallet} href={null} copyLabel="Copy the wallet" /> },
  { name: 'Role', of: ({ role }) => <b>{role}</b> },
  { name: 'Made by', of: ({ madeBy }) => (madeBy === null ? 'the settings' : shorten(madeBy)) },
  { name: 'Since', of: ({ createdAt }) => createdAt !== null && formatMoment(createdAt) },
];

/** Suspended wallets, and the roles of operators. */
export function WalletsPage() {
  const call = useAdminCall();
  const suspended = useAdminList<SuspendedWallet>(
    useCallback(async () => ({ ...(await call('listSuspended')), next: null }), [call]),
  );
  const operators = useAdminList<Operator>(
    useCallback(async () => ({ ...(await call('listOperators')), next: null }), [call]),
  );
  const { ask, dialog } = useActs(() => {
    suspended.reload();
    operators.reload();
  });

  const suspend: Act = {
    title: 'Suspend a wallet?',
    text: 'It can’t launch, react, feature or save until you lift this; what it pays becomes a credit. It can still sign in and download its data.',
    label: 'Suspend',
    fields: WALLET_FIELD,
    run: async ({ reason, value }) => {
      await call('suspendWallet', { params: { wallet: value('wallet') }, body: { reason } });
      return 'Suspended.';
    },
  };
  const resume = (wallet: string): Act => ({
    title: `Resume ${shorten(wallet)}?`,
    text: 'It may do again what everybody may.',
    label: 'Resume',
    run: async ({ reason }) => {
      await call('resumeWallet', { params: { wallet }, query: { reason } });
      return 'Resumed.';
    },
  });
  const make: Act = {
    title: 'Make a moderator?',
    text: 'A moderator works on reports, hides posts, changes categories and tends saves, from the next call on.',
    label: 'Make moderator',
    fields: WALLET_FIELD,
    run: async ({ reason, value }) => {
      await call('makeModerator', { params: { wallet: value('wallet') }, body: { reason } });
      return 'Made a moderator.';
    },
  };
  const unmake = (wallet: string): Act => ({
    title: `End what ${shorten(wallet)} may?`,
    text: 'It is a moderator no longer, from the next call on. What it did stays.',
    label: 'End it',
    run: async ({ reason }) => {
      await call('unmakeModerator', { params: { wallet }, query: { reason } });
      return 'A moderator no longer.';
    },
  });

  return (
    <>
      <AdminHead title="Wallets" />
      <div className={`${heads['head']} ${styles['head']}`}>
        <h2>Suspended</h2>
        <button type="button" className={buttons['plain']} onClick={() => ask(suspend)}>
          Suspend a wallet
        </button>
      </div>
      <AdminList
        name="Suspended wallets"
        list={suspended}
        columns={SUSPENDED}
        idOf={({ wallet }) => wallet}
        acts={({ wallet }) => <RowAct label="Resume" of={shorten(wallet)} onClick={() => ask(resume(wallet))} />}
        empty="No wallet is suspended."
      />
      <div className={`${heads['head']} ${styles['head']}`}>
        <h2>Operators</h2>
        <button type="button" className={buttons['plain']} onClick={() => ask(make)}>
          Make a moderator
        </button>
      </div>
      <AdminList
        name="Operators"
        list={operators}
        columns={OPERATORS}
        idOf={({ wallet }) => wallet}
        acts={({ wallet, role }) =>
          role === 'moderator' && <RowAct label="End" of={shorten(wallet)} onClick={() => ask(unmake(wallet))} />
        }
        empty="There is nobody."
      />
      {dialog}
    </>
  );
}
