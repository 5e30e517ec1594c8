import { monthOf } from '@archive/contracts';
import { DAY_MS } from '../figures.ts';
import { type IndexFile, Query } from './index-file.ts';
import type { PostColumns } from './post-table.ts';

/** How many values name a row of each table of counts. */
const NAMES = { category: 1, day: 1, kind: 2, month: 3 };

type Counted = { [N in keyof Pick<PostColumns, 'at' | 'category' | 'traits'>]: number | bigint };

/** Keeps the tables of counts. The changes of a batch are gathered, and written once. */
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

  /** `by`: 1 for a post that comes, -1 for one that goes. */
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
