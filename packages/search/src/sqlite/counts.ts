import { monthOf } from '@archive/contracts';
import { DAY_MS } from '../figures.ts';
import { type IndexFile, Query } from './index-file.ts';
import type { PostColumns } from './post-table.ts';

/** Number of key columns of each count table. */
const NAMES = { category: 1, day: 1, kind: 2, month: 3 };

type Counted = { [N in keyof Pick<PostColumns, 'at' | 'category' | 'traits'>]: number | bigint };

/** Maintains the count tables. It collects the changes of a batch and writes them once. */
export class Counts {
  readonly #tables: Record<string, Query<unknown>>;
  readonly #changes = new Map<string, number>();

  constructor(db: IndexFile) {
    const add = (table: string, names: number) =>
      `INSERT INTO ${table} VALUES (${'?, '.repeat(names)}?) ON CONFLICT DO UPDATE SET posts = posts + excluded.posts`;
    this.#tables = Object.fromEntries(
      Object.entries(NAMES).map(([table, names]) => [table, new Query(db, add(table, names))]),
    );
  }

  /** `by` is 1 for an added post and -1 for a removed one. */
  tally({ at, category, traits }: Counted, by: 1 | -1): void {
    const day = Math.floor(Number(at) / DAY_MS);
    const rows = [
      `category,${category}`,
      `day,${day}`,
      `kind,${category},${traits}`,
      `month,${monthOf(day)},${category},${traits}`,
    ];
    for (const row of rows) this.#changes.set(row, (this.#changes.get(row) ?? 0) + by);
  }

  write(): void {
    for (const [row, change] of this.#changes) {
      const [table = '', ...names] = row.split(',');
      if (change !== 0) this.#tables[table]?.run(...names.map(Number), change);
    }
    this.forget();
  }

  forget(): void {
    this.#changes.clear();
  }
}
