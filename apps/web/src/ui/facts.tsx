import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Terms and their values, one `Fact` a line. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles['facts']}>{children}</dl>;
}

export function Fact({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
