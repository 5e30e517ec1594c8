import { isLaunched, PRODUCT_ID_FIELD, type TokenLaunch } from '@archive/contracts';
import { useState } from 'react';
import { formatDay } from '../../lib/format.ts';
import buttons from '../../ui/button.module.css';
import { Coin } from '../../ui/coin.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { TokenLink } from '../../ui/token-link.tsx';
import styles from './dashboard.module.css';
import { Panel } from './panel.tsx';

const SHOWN_AT_FIRST = 5;
const SHOWN_MORE = 50;
interface LaunchedTokensProps {
  /** Newest first, those under way included. */
  launches: readonly TokenLaunch[] | undefined;
  hasFailed: boolean;
}

export function LaunchedTokens({ launches, hasFailed }: LaunchedTokensProps) {
  const [limit, setLimit] = useState(SHOWN_AT_FIRST);
  const shown = launches?.slice(0, limit) ?? [];
  const left = (launches?.length ?? 0) - shown.length;
  return (
    <Panel title="Launched tokens" note={launches?.length ? String(launches.length) : undefined}>
      {launches === undefined && !hasFailed && (
        <p role="status" className={styles['empty']}>
          Loading tokens...
        </p>
      )}
      {launches === undefined && hasFailed && (
        <p className={styles['empty']}>Your tokens could not be loaded. They are safe.</p>
      )}
      {launches?.length === 0 && <p className={styles['empty']}>No tokens yet. A token is launched from a post.</p>}
      <ul className={styles['entries']}>
        {shown.map((launch) => (
          <li key={launch.mint ?? launch.createdAt} className={styles['token']}>
            <Token launch={launch} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" className={buttons['ghost']} onClick={() => setLimit(limit + SHOWN_MORE)}>
          Show more
        </button>
      )}
    </Panel>
  );
}

function Token({ launch }: { launch: TokenLaunch }) {
  const { symbol, name, createdAt, author, status } = launch;
  return (
    <>
      <PostLink id={launch[PRODUCT_ID_FIELD]} className={styles['entry']}>
        <Coin symbol={symbol} />
        <span className={styles['words']}>
          <span className={styles['name']}>
            <b>{symbol}</b> <bdi>{name}</bdi>
          </span>
          <span className={styles['meta']}>
            {isLaunched(status) ? formatDay(createdAt) : 'Being launched'} · from{' '}
            {author === undefined ? (
              'a post that was removed'
            ) : (
              <>
                a post by <bdi>{author}</bdi>
              </>
            )}
          </span>
        </span>
      </PostLink>
      <TokenLink launch={launch} />
    </>
  );
}
