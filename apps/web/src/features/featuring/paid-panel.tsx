import type { PaidPost } from '@archive/contracts';
import { explorerUrl, type Network } from '@archive/solana/price';
import { useAnswer } from '../../lib/api.ts';
import { formatDay, shorten } from '../../lib/format.ts';
import { useConfig } from '../../lib/use-config.ts';
import { CheckIcon, OutIcon, StarIcon } from '../../ui/icons.tsx';
import { ClockIcon, EyeOffIcon } from '../../ui/later-icons.tsx';
import rows from '../../ui/panel.module.css';
import { Panel, useShortList } from '../../ui/panel.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { useSessionAnswer } from '../../wallet/session-answer.ts';
import { creditAmount, decimalsOf } from './credit-words.ts';
import styles from './paid-panel.module.css';

const STATES: Record<PaidPost['state'], { words: string; Icon: typeof CheckIcon }> = {
  featured: { words: 'Featured', Icon: CheckIcon },
  ended: { words: 'No longer featured', Icon: EyeOffIcon },
  removed: { words: 'No longer shown', Icon: EyeOffIcon },
  credit: { words: 'Kept as a credit', Icon: ClockIcon },
  pending: { words: 'Being applied', Icon: ClockIcon },
};

/** The featurings that the signed-in person paid for. Without any, the panel is hidden. */
export function PaidPanel() {
  const { data, error } = useSessionAnswer('paidPosts');
  const paid = data?.data;
  const { data: quote } = useAnswer('featureWallet', paid?.length ? {} : null);
  const ticker = useConfig()?.tokenTicker ?? '';
  const { shown, list, more } = useShortList(paid);
  if (error !== undefined && paid === undefined) {
    return (
      <Panel title="Paid for">
        <p role="status" className={rows['empty']}>
          What you have paid for could not be loaded. It is safe.
        </p>
      </Panel>
    );
  }
  if (paid === undefined || paid.length === 0) return null;
  const amount = ({ baseUnits, mint }: Pick<PaidPost, 'baseUnits' | 'mint'>) =>
    creditAmount(BigInt(baseUnits), decimalsOf(quote, mint), ticker);
  return (
    <Panel title="Paid for" note={String(paid.length)}>
      <ul ref={list}>
        {shown.map((one) => (
          <li key={one.transaction} className={styles['row']}>
            <Entry paid={one} amount={amount(one)} network={quote?.network} />
          </li>
        ))}
      </ul>
      {more}
    </Panel>
  );
}

function Entry({ paid, amount, network }: { paid: PaidPost; amount: string; network: string | undefined }) {
  const { transaction, at, archiveId, content, state } = paid;
  const { words, Icon } = STATES[state];
  const href = network === undefined ? null : explorerUrl('transaction', transaction, network as Network);
  return (
    <>
      <span className={rows['pebble']} data-tone={state === 'featured' ? 'gold' : 'quiet'}>
        <StarIcon size={14} filled={state === 'featured'} />
      </span>
      <span className={rows['words']}>
        {content !== null && archiveId !== null ? (
          <PostLink id={archiveId} className={rows['text']}>
            <bdi>{content}</bdi>
          </PostLink>
        ) : (
          <span>{state === 'removed' ? 'A post that is gone' : 'A post that is not known'}</span>
        )}
        <span className={rows['meta']}>
          {amount} · {formatDay(at)} ·{' '}
          {href === null ? (
            <span className={styles['signature']} title={transaction}>
              {shorten(transaction)}
            </span>
          ) : (
            <a href={href} className={styles['signature']} target="_blank" rel="noopener noreferrer">
              <span className="visually-hidden">Transaction </span>
              {shorten(transaction)} <OutIcon size={11} />
            </a>
          )}
        </span>
      </span>
      <span className={styles['state']} data-state={state}>
        <Icon size={14} />
        {words}
      </span>
    </>
  );
}
