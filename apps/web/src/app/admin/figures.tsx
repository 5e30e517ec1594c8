import type { ReactNode } from 'react';
import styles from './figures.module.css';

interface FiguresProps {
  figures: readonly (readonly [name: string, value: ReactNode, note: string])[];
}

/** A few figures side by side, without a chart. */
export function Figures({ figures }: FiguresProps) {
  return (
    <dl className={styles['figures']}>
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd className={styles['note']}>{note}</dd>
        </div>
      ))}
    </dl>
  );
}
