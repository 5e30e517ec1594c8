import { type Category, UNCATEGORIZED } from '@archive/contracts';
import type { CSSProperties } from 'react';
import styles from './category-bead.module.css';

/** A category as a coloured dot and its name. */
export function CategoryBead({ category }: { category: Category | null }) {
  const name = category ?? 'none';
  const colours = { color: `var(--cat-${name}-ink)`, '--bead': `var(--cat-${name}-bead)` } as CSSProperties;
  return (
    <span className={styles['category']} data-category={name} style={colours}>
      {category ?? UNCATEGORIZED}
    </span>
  );
}
