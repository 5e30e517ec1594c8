import { type IndexFile, Query, type Value } from '../index-file.ts';

const KEPT = 300;
const BEYOND_ALL_RANKS = 2n ** 62n;

/** Queries one index file. Statements are prepared once and kept. */
export class Statements {
  readonly #db: IndexFile;
  readonly #kept = new Map<string, Query<unknown>>();

  constructor(db: IndexFile) {
    this.#db = db;
  }

  all<T>(sql: string, ...values: Value[]): T[] {
    return this.#prepare(sql, sql, false).all(...values) as T[];
  }

  first<T>(sql: string, ...values: Value[]): T | undefined {
    return this.all<T>(sql, ...values)[0];
  }

  /** Like `all`, with integers as bigint: ranks exceed 2^53. */
  allBig<T>(sql: string, ...values: Value[]): T[] {
    return this.#prepare(`${sql} -- big`, sql, true).all(...values) as T[];
  }

  /** Runs `work` in one transaction, so that all its queries see one state of the file. */
  atOneMoment<T>(work: () => T): T {
    this.#db.exec('BEGIN');
    try {
      return work();
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  /** The lowest rank of the posts at or after a time (milliseconds since 1970); above all ranks if there is none. */
  rankFrom(time: number | bigint): bigint {
    const [row] = this.allBig<{ rank: bigint | null }>(
      'SELECT min(rank) AS rank FROM post WHERE at = (SELECT min(at) FROM post WHERE at >= ?)',
      time,
    );
    return row?.rank ?? BEYOND_ALL_RANKS;
  }

  #prepare(name: string, sql: string, big: boolean): Query<unknown> {
    let statement = this.#kept.get(name);
    if (!statement) {
      if (this.#kept.size >= KEPT) this.#kept.clear();
      statement = new Query<unknown>(this.#db, sql, { big });
      this.#kept.set(name, statement);
    }
    return statement;
  }
}
