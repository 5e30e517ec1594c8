import type { Post, TokenLaunch } from '@archive/contracts';
import { formatDay } from '../../lib/format.ts';
import { ChainValue } from '../../ui/chain-value.tsx';
import { Coin } from '../../ui/coin.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import styles from './launch-sheet.module.css';
import { ALREADY_USED } from './launch-words.ts';
import type { LaunchView } from './use-launch-sheet.ts';

interface LaunchResultProps {
  view: Extract<LaunchView, { kind: 'launching' | 'launched' | 'taken' }>;
  /** Not read aloud here, because the dialog's heading says the same. */
  title: string;
  post: Post;
}

/** The state of a launch, with links to the token. */
export function LaunchResult({ view, title, post }: LaunchResultProps) {
  const { symbol } = view.kind === 'launching' ? view : (view.launch ?? { symbol: '' });
  return (
    <div className={styles['result']}>
      <Coin symbol={symbol} isLarge isPending={view.kind === 'launching'} />
      <p className={styles['title']} aria-hidden="true">
        {title}
      </p>
      {view.kind === 'launching' && (
        <p className={styles['story']}>
          <bdi>{view.name}</bdi> is on its way to the network. This takes a few seconds. You can close the window: the
          launch goes on.
        </p>
      )}
      {view.kind === 'launched' && (
        <p className={styles['story']}>
          <bdi>{view.launch.name}</bdi> now exists, and this post is marked as its source.
        </p>
      )}
      {view.kind === 'taken' && (
        <p className={styles['story']}>
          {view.isMine ? 'You had launched a token from this post already.' : `${ALREADY_USED}.`}
          {view.launch !== null && (
            <>
              {' '}
              Its token is {view.launch.symbol}, <bdi>{view.launch.name}</bdi>.
            </>
          )}{' '}
          Nothing else was launched from it.
        </p>
      )}
      {view.kind !== 'launching' && view.launch !== null && <TokenFacts launch={view.launch} post={post} />}
    </div>
  );
}

function TokenFacts({ launch, post }: { launch: TokenLaunch; post: Post }) {
  const { transaction, mint, solscanUrl, solscanTokenUrl, status } = launch;
  return (
    <Facts>
      {transaction !== null && (
        <Fact term="Transaction">
          <ChainValue value={transaction} href={solscanUrl} copyLabel="Copy transaction signature" />
        </Fact>
      )}
      {mint !== null && (
        <Fact term="Token">
          <ChainValue value={mint} href={solscanTokenUrl} copyLabel="Copy token address" />
        </Fact>
      )}
      <Fact term="Post">
        <bdi>{post.author}</bdi>, {formatDay(post.timestamp)}
      </Fact>
      <Fact term="Status">
        <span className={styles['status']}>
          <CheckIcon size={14} />
          {status === 'finalized' ? 'Final' : 'Confirmed'}
        </span>
      </Fact>
    </Facts>
  );
}
