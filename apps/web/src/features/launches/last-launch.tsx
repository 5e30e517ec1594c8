import { PRODUCT_ID_FIELD, type TokenLaunch } from '@archive/contracts';
import { useId } from 'react';
import { formatAgo } from '../../lib/format.ts';
import { Coin } from '../../ui/coin.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { TokenLink } from '../../ui/token-link.tsx';
import styles from './last-launch.module.css';

/** The last launched token and its post. On a phone it is below the posts. */
export function LastLaunch({ launch, place }: { launch: TokenLaunch; place: 'stats' | 'end' }) {
  const titleId = useId();
  return (
    <section className={styles['banner']} data-place={place} aria-labelledby={titleId}>
      <h2 id={titleId}>Last launched</h2>
      <div className={styles['row']}>
        <Coin symbol={launch.symbol} />
        <PostLink id={launch[PRODUCT_ID_FIELD]} className={styles['words']}>
          <span className={styles['token']}>
            <b>{launch.symbol}</b> <bdi>{launch.name}</bdi>
          </span>
          <span className={styles['source']}>
            <span>
              from a post by <bdi>{launch.author}</bdi>
            </span>
            <span>, {formatAgo(launch.createdAt, Date.now())}</span>
          </span>
        </PostLink>
        <TokenLink launch={launch} />
      </div>
    </section>
  );
}
