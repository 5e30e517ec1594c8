import type { ReactNode } from 'react';
import styles from './dashboard.module.css';

export function Panel({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) {
  return (
    <section className={styles['panel']} aria-label={title}>
      <h2>
        {title} {note !== undefined && <span className={styles['note']}>{note}</span>}
      </h2>
      {children}
    </section>
  );
}
