import styles from './share-bar.module.css';

/** A bar for a figure as a part of the largest one. Screen readers read the figure instead. */
export function ShareBar({ part, isHollow = false }: { part: number; isHollow?: boolean }) {
  return (
    <span className={styles['track']} data-hollow={isHollow} aria-hidden="true">
      <span style={{ width: `${Math.min(1, part) * 100}%` }} />
    </span>
  );
}
