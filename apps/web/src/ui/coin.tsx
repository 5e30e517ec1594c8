import { firstGrapheme } from '../lib/graphemes.ts';
import styles from './coin.module.css';

/** A token as the page draws it: round, verdigris, with the beginning of its symbol. */
export function Coin({ symbol, isLarge = false }: { symbol: string; isLarge?: boolean }) {
  return (
    <span className={styles['coin']} data-large={isLarge} aria-hidden="true">
      {firstGrapheme(symbol)}
    </span>
  );
}
