import { shorten } from '../lib/format.ts';
import { safeLink } from '../lib/safe-links.ts';
import styles from './chain-value.module.css';
import { CopyButton } from './copy-button.tsx';

interface ChainValueProps {
  /** An address, or a transaction's signature. */
  value: string;
  /** Its address in an explorer; null if there is none. */
  href: string | null;
  copyLabel: string;
}

/** A value of the chain: shortened, with a copy button and a link to an explorer. */
export function ChainValue({ value, href, copyLabel }: ChainValueProps) {
  const link = safeLink(href);
  return (
    <span className={styles['value']}>
      {link === null ? (
        <span title={value}>{shorten(value)}</span>
      ) : (
        <a className="text-link" href={link} target="_blank" rel="noopener noreferrer">
          {shorten(value)}
          <span className="visually-hidden">, on Solscan in a new tab</span>
        </a>
      )}
      <CopyButton text={value} label={copyLabel} />
    </span>
  );
}
