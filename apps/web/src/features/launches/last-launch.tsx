import { PRODUCT_ID_FIELD, type TokenLaunch } from '@archive/contracts';
import { useId } from 'react';
import { formatAgo } from '../../lib/format.ts';
import { safeLink } from '../../lib/safe-links.ts';
import { Coin } from '../../ui/coin.tsx';
import { OutIcon } from '../../ui/icons.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import styles from './last-launch.module.css';

/** The token launched last, and the post it came from; on a phone it stands after the posts. */
export function LastLaunch({ launch, place }: { launch: TokenLaunch; place: 'ledger' | 'end' }) {
  const titleId = useId();
  const link = safeLink(launch.pumpfunUrl) ?? safeLink(launch.solscanTokenUrl);
  return (
    <section className={styles['banner']} data-place={place} aria-labelledby={titleId}>
      <h2 id={titleId}>Last launched</h2>
      <div className={styles['row']}>
        <Coin symbol={launch.symbol} />
        <PostLink id={launch[PRODUCT_ID_FIELD]} className={styles['words']}>
          <span className={styles['token']}>
            <b>{launch.symbol}</b> <bdi>{launch.name}</bdi>
          </span>
          <span>
            from a{' '}
            {launch.author === undefined ? (
              'kept post'
            ) : (
              <>
                post by <bdi>{launch.author}</bdi>
              </>
            )}
            , {formatAgo(launch.createdAt, Date.now())}
          </span>
        </PostLink>
        {link !== null && (
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            className={styles['out']}
            aria-label={`${launch.symbol} on ${new URL(link).hostname}, in a new tab`}
          >
            <OutIcon size={14} />
          </a>
        )}
      </div>
    </section>
  );
}
