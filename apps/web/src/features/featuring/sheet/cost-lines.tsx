import { PRODUCT_NAME } from '@archive/contracts';
import { explorerUrl, formatAmount } from '@archive/solana/price';
import type { ReactNode } from 'react';
import { networkName } from '../../../lib/network-name.ts';
import { OutIcon } from '../../../ui/icons.tsx';
import { InfoIcon } from '../../../ui/later-icons.tsx';
import { SideNote } from '../../../ui/side-note.tsx';
import type { Offer } from '../payment/read-offer.ts';
import styles from './feature-sheet.module.css';

const SOL_DECIMALS = 9;

/** All effects of the signature, as the simulation reports them. */
export function CostLines({ offer, ticker }: { offer: Offer; ticker: string }) {
  const { summary, terms, network, balance } = offer;
  const { amount, receiver, networkFeeLamports, rentLamports, createsAccount } = summary;
  const tokens = (baseUnits: bigint) => formatAmount(baseUnits, terms.decimals);
  return (
    <>
      <dl className={styles['costs']}>
        <Line name="Featuring price" value={`${amount} ${ticker}`}>
          To the {PRODUCT_NAME} wallet, <Address address={receiver} href={explorerUrl('account', receiver, network)} />
        </Line>
        <Line name="Network fee" value={`${sol(networkFeeLamports)} SOL`}>
          Estimate, paid to Solana
        </Line>
        <Line name="Account setup" value={`${sol(rentLamports)} SOL`}>
          {createsAccount
            ? 'A one-time network deposit, because you are the first to pay. It is not returned.'
            : 'The receiving account already exists'}
        </Line>
        <div className={styles['total']}>
          <dt>You pay</dt>
          <dd>
            {amount} {ticker} + {sol(networkFeeLamports + rentLamports)} SOL
          </dd>
        </div>
      </dl>
      <dl className="terms">
        <div>
          <dt>Your balance after</dt>
          <dd>
            {tokens(balance)} <span aria-hidden="true">→</span>
            <span className="visually-hidden">will be</span>{' '}
            <b>
              {tokens(balance - terms.baseUnits)} {ticker}
            </b>
          </dd>
        </div>
        <div>
          <dt>Network</dt>
          <dd>{networkName(network)}</dd>
        </div>
      </dl>
      <SideNote icon={<InfoIcon />}>
        The payment names this post, so it can only ever feature this one. If someone else is faster, it is kept as your
        credit.
      </SideNote>
    </>
  );
}

function Line({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd className={styles['detail']}>{children}</dd>
    </div>
  );
}

/** The full address, so that a person can compare it. */
function Address({ address, href }: { address: string; href: string | null }) {
  if (href === null) return <span className={styles['address']}>{address}</span>;
  return (
    <a className={`text-link ${styles['address']}`} href={href} target="_blank" rel="noopener noreferrer">
      <span>{address}</span>
      <span className="visually-hidden">, on Solscan in a new tab</span>
      <OutIcon size={11} />
    </a>
  );
}

function sol(lamports: bigint): string {
  return formatAmount(lamports, SOL_DECIMALS);
}
