import type { Credit } from '@archive/contracts';
import { explorerUrl, type Network } from '@archive/solana/price';
import { useAnswer } from '../../lib/api.ts';
import { formatDay, shorten } from '../../lib/format.ts';
import { formatRecentDay } from '../../lib/format-moment.ts';
import { useConfig } from '../../lib/use-config.ts';
import buttons from '../../ui/button.module.css';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { creditAmount, creditReason, decimalsOf, isOnChain, isOpen, usableUnits } from './credit-words.ts';
import styles from './credits-panel.module.css';
import { useOwnCredits } from './own-credits.ts';

/** Payments of this person that could not be applied. Without any, the panel is hidden. */
export function CreditsPanel() {
  const { credits, error, reload } = useOwnCredits();
  const { data: quote } = useAnswer('featureWallet', credits?.length ? {} : null);
  const ticker = useConfig()?.tokenTicker ?? '';
  if (error !== undefined && credits === undefined) {
    return <Notice title="Your credits could not be loaded." detail="They are safe." onRetry={reload} />;
  }
  if (credits === undefined || credits.length === 0) return null;
  const usable = usableUnits(credits);
  const decimals = decimalsOf(quote);
  const amount = (baseUnits: bigint) => creditAmount(baseUnits, decimals, ticker);
  return (
    <>
      {usable > 0n && (
        <section className={styles['open']} aria-label="Credit to use">
          <h2>{amount(usable)} is yours to use</h2>
          <p>{openWords(credits)}</p>
          <Link href="/" className={buttons['plain']}>
            Choose a post
          </Link>
        </section>
      )}
      <section className="panel" aria-label="Credits">
        <h2>
          Credits <span className="panel-note">{credits.length}</span>
        </h2>
        <ul>
          {credits.map((credit) => (
            <li key={credit._id} className={styles['entry']}>
              <Entry credit={credit} amount={amount(BigInt(credit.baseUnits))} network={quote?.network} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function Entry({ credit, amount, network }: { credit: Credit; amount: string; network: string | undefined }) {
  const { reason, createdAt, usedOn } = credit;
  return (
    <>
      <p className={styles['head']}>
        <b>{amount}</b>
        <time dateTime={createdAt}>{formatRecentDay(createdAt, Date.now())}</time>
      </p>
      <p>{creditReason(reason)}</p>
      <p className={styles['links']}>
        {usedOn !== null ? (
          <PostLink id={usedOn} className={styles['link']}>
            Used on this post
          </PostLink>
        ) : (
          <span>{isOpen(credit) ? 'Not used yet' : 'Can be used once its payment is final'}</span>
        )}
        {isOnChain(credit) && <Transaction signature={credit.transaction} network={network} />}
      </p>
    </>
  );
}

function Transaction({ signature, network }: { signature: string; network: string | undefined }) {
  const href = network === undefined ? null : explorerUrl('transaction', signature, network as Network);
  if (href === null) {
    return (
      <span className={styles['signature']} title={signature}>
        <span className="visually-hidden">Transaction </span>
        {shorten(signature)}
      </span>
    );
  }
  return (
    <a className={styles['link']} href={href} target="_blank" rel="noopener noreferrer">
      <span className="visually-hidden">Transaction </span>
      <span className={styles['signature']}>{shorten(signature)}</span>
      <span className="visually-hidden">, on Solscan in a new tab</span>
    </a>
  );
}

/** One credit is described in full; several are only summed up. */
function openWords(credits: readonly Credit[]): string {
  const open = credits.filter(isOpen);
  const [only] = open;
  if (only === undefined || open.length > 1) return 'Payments of yours could not be applied. Use them on a post.';
  if (only.reason === 'already_featured') {
    return `Your payment of ${formatDay(only.createdAt)} arrived after that post was already featured. Use it on another one.`;
  }
  return `It comes from your payment of ${formatDay(only.createdAt)}. Use it on a post.`;
}
