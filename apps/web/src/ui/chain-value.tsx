import { shorten } from '../lib/format.ts';
import { safeLink } from '../lib/safe-links.ts';
import styles from './chain-value.module.css';
import { CopyButton } from './copy-button.tsx';

interface ChainValueProps {
  /** An address, or the signature of a transaction. */
  value: string;
  /** Where an explorer shows it; null where none does. */
  href: string | null;
  copyLabel: string;
}

/** Something on the chain: short, with the whole of it to copy and the way to an explorer. */
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
