import { firstGrapheme } from '../lib/graphemes.ts';
import styles from './coin.module.css';

interface CoinProps {
  symbol: string;
  isLarge?: boolean;
  /** Not on the chain yet. */
  isPending?: boolean;
}

/** A token as the page draws it: round, verdigris, with the beginning of its symbol. */
export function Coin({ symbol, isLarge = false, isPending = false }: CoinProps) {
  return (
    <span className={styles['coin']} data-large={isLarge} data-pending={isPending} aria-hidden="true">
      {firstGrapheme(symbol)}
    </span>
  );
}
