import { type Category, UNCATEGORIZED } from '@archive/contracts';
import styles from './category-bead.module.css';

export function CategoryBead({ category }: { category: Category | null }) {
  return (
    <span className={styles['category']} data-category={category ?? 'none'}>
      {category ?? UNCATEGORIZED}
    </span>
  );
}
