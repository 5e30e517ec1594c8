import type { ReactNode } from 'react';
import styles from './side-note.module.css';

/** A sentence beside what is asked or shown, behind its icon. */
export function SideNote({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className={styles['note']}>
      {icon}
      <span>{children}</span>
    </p>
  );
}
