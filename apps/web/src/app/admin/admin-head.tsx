import type { ReactNode } from 'react';
import styles from './admin-head.module.css';

/** The title of an operators' page, with the actions that concern the whole page. */
export function AdminHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className={styles['head']}>
      <h1 data-page-title tabIndex={-1}>
        {title}
      </h1>
      {children}
    </header>
  );
}
