import { isLaunched, PRODUCT_ID_FIELD, TABLE_TEXT_LENGTH, type TokenLaunch } from '@archive/contracts';
import { formatDay } from '../../lib/format.ts';
import { Coin } from '../../ui/coin.tsx';
import rows from '../../ui/panel.module.css';
import { Panel, useShortList } from '../../ui/panel.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { PostText } from '../../ui/post-text.tsx';
import { TokenLink } from '../../ui/token-link.tsx';
import styles from './dashboard.module.css';

interface LaunchedTokensProps {
  /** Newest first, including unfinished launches. */
  launches: readonly TokenLaunch[] | undefined;
  hasFailed: boolean;
}

export function LaunchedTokens({ launches, hasFailed }: LaunchedTokensProps) {
  const { shown, list, more } = useShortList(launches);
  const count = launches?.filter(({ status }) => isLaunched(status)).length ?? 0;
  return (
    <Panel title="Launched tokens" note={count > 0 ? String(count) : undefined}>
      {launches === undefined && (
        <p role="status" className={rows['empty']}>
          {hasFailed ? 'Your tokens could not be loaded. They are safe.' : 'Loading tokens...'}
        </p>
      )}
      {launches?.length === 0 && <p className={rows['empty']}>No tokens yet. A token is launched from a post.</p>}
      <ul ref={list}>
        {shown.map((launch) => (
          <li key={launch.mint ?? launch.createdAt} className={styles['token']}>
            <Token launch={launch} />
          </li>
        ))}
      </ul>
      {more}
    </Panel>
  );
}

function Token({ launch }: { launch: TokenLaunch }) {
  const { symbol, name, createdAt, author, status, description } = launch;
  return (
    <>
      <PostLink id={launch[PRODUCT_ID_FIELD]} className={rows['entry']}>
        <Coin symbol={symbol} isPending={!isLaunched(status)} />
        <span className={rows['words']}>
          <span className={styles['name']}>
            <b>{symbol}</b> <bdi>{name}</bdi>
          </span>
          <span className={rows['meta']}>
            {isLaunched(status) ? formatDay(createdAt) : 'Being launched'} · from{' '}
            {author === undefined ? (
              'a post that was removed'
            ) : (
              <>
                a post by <bdi>{author}</bdi>: “
                <bdi>
                  <PostText text={description} terms={[]} limit={TABLE_TEXT_LENGTH} />
                </bdi>
                ”
              </>
            )}
          </span>
        </span>
      </PostLink>
      <TokenLink launch={launch} />
    </>
  );
}
