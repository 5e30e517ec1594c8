import styles from './share-bar.module.css';

/** How much of the largest figure beside it one is; the figure itself says it to readers. */
export function ShareBar({ part, isHollow = false }: { part: number; isHollow?: boolean }) {
  return (
    <span className={styles['track']} data-hollow={isHollow} aria-hidden="true">
      <span style={{ width: `${Math.min(1, part) * 100}%` }} />
    </span>
  );
}
