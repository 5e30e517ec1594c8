import { firstGrapheme } from '../lib/graphemes.ts';
import styles from './coin.module.css';

interface CoinProps {
  symbol: string;
  isLarge?: boolean;
  /** Whether the token is not on the chain yet. */
  isPending?: boolean;
}

/** A token as a round green sign with the first letters of its symbol. */
export function Coin({ symbol, isLarge = false, isPending = false }: CoinProps) {
  return (
    <span className={styles['coin']} data-large={isLarge} data-pending={isPending} aria-hidden="true">
      {firstGrapheme(symbol)}
    </span>
  );
}
