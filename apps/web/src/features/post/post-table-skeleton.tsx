import styles from './post-table-skeleton.module.css';

/** A placeholder in the size of a table. */
export function PostTableSkeleton({ count }: { count: number }) {
  return (
    <div className={styles['ghosts']} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity but their place.
        <span key={index} className={styles['ghostRow']} />
      ))}
    </div>
  );
}
