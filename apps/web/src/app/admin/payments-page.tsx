import { type AdminPayment, type CreditReason, PAYMENT_LIST_STATES, type PaymentListState } from '@archive/contracts';
import { useCallback, useState } from 'react';
import { creditAmount, decimalsOf } from '../../features/featuring/credit-words.ts';
import { useAnswer } from '../../lib/api.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { useConfig } from '../../lib/use-config.ts';
import { ChainValue } from '../../ui/chain-value.tsx';
import { Link } from '../../ui/link.tsx';
import { type Act, useActs } from './act-dialog.tsx';
import bars from './admin-bar.module.css';
import heads from './admin-head.module.css';
import { AdminHead } from './admin-head.tsx';
import { AdminList, type Column, RowAct, StateWord } from './admin-list.tsx';
import { PAYMENT_STATES } from './state-words.ts';
import { useAdminCall } from './use-admin-call.ts';
import { useAdminList } from './use-admin-list.ts';

const REASON_WORDS: Record<CreditReason, string> = {
  already_featured: 'the post was featured already',
  post_removed: 'the post was removed',
  post_unknown: 'it named no post of ours',
  too_little: 'less than the price',
  several_posts: 'it named several posts',
  moved_otherwise: 'its owner did not sign the transfer',
  stopped: 'sent while featuring was stopped',
  suspended: 'sent by a suspended wallet',
  change: 'what was left of other credits',
};

/** All payments and credits, and the steps to refund a credit. */
export function PaymentsPage() {
  const call = useAdminCall();
  const [state, setState] = useState<PaymentListState | ''>('');
  const [payer, setPayer] = useState('');
  const wanted = payer.trim();
  const list = useAdminList<AdminPayment>(
    useCallback(
      (after) =>
        call('listPayments', {
          query: {
            ...(state !== '' && { state }),
            ...(wanted !== '' && { payer: wanted }),
            ...(after !== null && { after }),
          },
        }),
      [call, state, wanted],
    ),
  );
  const { ask, dialog } = useActs(list.reload);
  const { data: quote } = useAnswer('featureWallet', {});
  const ticker = useConfig()?.tokenTicker ?? '';
  const amountOf = ({ baseUnits, mint }: AdminPayment) =>
    creditAmount(BigInt(baseUnits), decimalsOf(quote, mint), ticker);

  const columns: Column<AdminPayment>[] = [
    { name: 'At', of: ({ createdAt }) => <time dateTime={createdAt}>{formatMoment(createdAt)}</time> },
    {
      name: 'State',
      of: (payment) => (
        <StateWord tone={PAYMENT_STATES[payment.state][0]}>{PAYMENT_STATES[payment.state][1]}</StateWord>
      ),
    },
    { name: 'Amount', of: (payment) => <b>{amountOf(payment)}</b> },
    { name: 'From', of: ({ payer: from }) => <ChainValue value={from} href={null} copyLabel="Copy the wallet" /> },
    { name: 'Transaction', of: ({ _id }) => <ChainValue value={_id} href={null} copyLabel="Copy the transaction" /> },
    {
      name: 'For',
      of: ({ archiveId, usedOn }) => {
        const post = usedOn ?? archiveId;
        return post === null ? null : <Link href={`/post/${post}`}>the post</Link>;
      },
    },
    { name: 'Why', isLong: true, of: whyOf },
  ];

  return (
    <>
      <AdminHead title="Payments" />
      <div className={bars['bar']}>
        <input
          type="search"
          aria-label="Payments of a wallet"
          placeholder="A wallet that paid"
          value={payer}
          onChange={({ target }) => setPayer(target.value)}
        />
        <select
          aria-label="Which payments"
          value={state}
          onChange={({ target }) => setState(target.value as PaymentListState | '')}
        >
          <option value="">Every state</option>
          {PAYMENT_LIST_STATES.map((one) => (
            <option key={one} value={one}>
              {PAYMENT_STATES[one][1]}
            </option>
          ))}
        </select>
      </div>
      <AdminList
        name="Payments"
        list={list}
        columns={columns}
        idOf={({ _id }) => _id}
        acts={acts}
        empty="No payment of that kind."
      />
      <p className={heads['note']}>To pay a credit back: hold it, send the money, then mark it with the transaction.</p>
      {dialog}
    </>
  );

  function acts(payment: AdminPayment) {
    const { _id, state: own, isFinal } = payment;
    const of = amountOf(payment);
    if (own === 'credit') {
      if (!isFinal) return 'not final yet';
      return <RowAct label="Hold" of={of} onClick={() => ask(hold(_id, of))} />;
    }
    if (own !== 'held') return null;
    return (
      <>
        <RowAct label="Mark as paid back" of={of} onClick={() => ask(markPaidBack(_id, of, payment.payer))} />
        <RowAct label="Release" of={of} onClick={() => ask(release(_id, of))} />
      </>
    );
  }

  function hold(payment: string, amount: string): Act {
    return {
      title: `Hold this credit of ${amount}?`,
      text: 'Its payer cannot use it from then on, so that it can be paid back. Releasing it gives it back.',
      label: 'Hold',
      run: async ({ reason }) => {
        await call('holdCredit', { params: { payment }, body: { reason } });
        return 'Held. Now send the money back, then mark it with the transaction.';
      },
    };
  }

  function release(payment: string, amount: string): Act {
    return {
      title: `Release this credit of ${amount}?`,
      text: 'Its payer can use it again. Do not release what you have sent back already: mark that as paid back.',
      label: 'Release',
      run: async ({ reason }) => {
        await call('releaseCredit', { params: { payment }, query: { reason } });
        return 'Released: its payer can use it.';
      },
    };
  }

  function markPaidBack(payment: string, amount: string, to: string): Act {
    return {
      title: `Mark ${amount} as paid back?`,
      text: `The transaction is looked up: it must be final, of the full amount, and from the receiving wallet to ${to}. This cannot be undone.`,
      label: 'Mark as paid back',
      isFinal: true,
      fields: (
        <label className="field">
          <span>The transaction that paid it back</span>
          <input name="transaction" required autoComplete="off" spellCheck={false} />
        </label>
      ),
      run: async ({ reason, value }) => {
        await call('markRefunded', { params: { payment }, body: { transaction: value('transaction'), reason } });
        return 'Marked as paid back.';
      },
    };
  }
}

function whyOf({ reason, refund }: AdminPayment) {
  if (refund !== null) {
    return (
      <>
        Paid back by{' '}
        <ChainValue value={refund.transaction} href={null} copyLabel="Copy the transaction that paid it back" />
      </>
    );
  }
  return reason === null ? null : REASON_WORDS[reason];
}
