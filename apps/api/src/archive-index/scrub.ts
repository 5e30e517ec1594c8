import { type IndexFile, Query } from './index-file.ts';

/** Pages looked at in one step: 8 MB, some 20 ms. */
const STEP_PAGES = 1_000;
const ZEROS = Buffer.alloc(65_536);
/** Kinds of pages of a tree, by their first byte, and the length of their headers; other pages begin with a zero. */
const TREE_HEADERS: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };

interface Page {
  pgno: number;
  data: Uint8Array;
}

/**
 * Overwrites what the file no longer needs. SQLite overwrites a deleted row in its place (`secure_delete`), but where it
 * has moved rows to another page, what they were stays in the free space of the old one, and so it does in pages that
 * are in no use. The layout is that of https://www.sqlite.org/fileformat2.html.
 */
export class Scrubber {
  readonly #db: IndexFile;
  readonly #statements: ReturnType<typeof prepare>;
  /** The page that comes next; null while no pass is under way. */
  #next: number | null = null;

  constructor(db: IndexFile) {
    this.#db = db;
    this.#statements = prepare(db);
  }

  get isAtWork(): boolean {
    return this.#next !== null;
  }

  /** Begins anew with the first page. */
  begin(): void {
    // The first holds the tables' names.
    this.#next = 2;
  }

  /** Overwrites the free space of some more pages; false where a pass has come to its end. */
  step(): boolean {
    if (this.#next === null) return false;
    const last = this.#next + STEP_PAGES - 1;
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      for (const { pgno, data } of this.#statements.some.all(this.#next, last)) this.#clearGap(pgno, data);
      const { pages } = this.#statements.count.first() as { pages: number };
      const isOver = last >= pages;
      if (isOver) this.#clearFree();
      this.#db.exec('COMMIT');
      this.#next = isOver ? null : last + 1;
      return !isOver;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Between the list of a page's cells and the first of them. */
  #clearGap(pgno: number, data: Uint8Array): void {
    const header = TREE_HEADERS[data[0] as number];
    if (header === undefined) return;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const from = header + 2 * view.getUint16(3);
    const to = view.getUint16(5);
    if (from < to && to <= data.length) this.#clear({ pgno, data }, from, to);
  }

  /** Pages that are in no use: each of a chain of lists names some. */
  #clearFree(): void {
    const page1 = this.#read(1);
    let trunk = page1 ? uint32(page1, 32) : 0;
    while (trunk !== 0) {
      const list = this.#read(trunk);
      if (!list) return;
      const count = uint32(list, 4);
      for (let at = 0; at < count; at++) {
        const pgno = uint32(list, 8 + 4 * at);
        const data = this.#read(pgno);
        if (data) this.#clear({ pgno, data }, 0, data.length);
      }
      this.#clear({ pgno: trunk, data: list }, 8 + 4 * count, list.length);
      trunk = uint32(list, 0);
    }
  }

  #read(pgno: number): Uint8Array | undefined {
    return this.#statements.some.first(pgno, pgno)?.data;
  }

  #clear({ pgno, data }: Page, from: number, to: number): void {
    const space = Buffer.from(data.buffer, data.byteOffset + from, to - from);
    if (space.equals(ZEROS.subarray(0, to - from))) return;
    space.fill(0);
    this.#statements.write.run(data, pgno);
  }
}

function uint32(data: Uint8Array, at: number): number {
  return new DataView(data.buffer, data.byteOffset).getUint32(at);
}

function prepare(db: IndexFile) {
  return {
    // The table of pages can be asked for one at a time alone.
    some: new Query<Page>(
      db,
      `WITH RECURSIVE wanted (pgno) AS (SELECT ?1 UNION ALL SELECT pgno + 1 FROM wanted WHERE pgno < ?2)
       SELECT page.pgno, page.data FROM wanted CROSS JOIN sqlite_dbpage AS page ON page.pgno = wanted.pgno`,
    ),
    write: new Query(db, 'UPDATE sqlite_dbpage SET data = ?1 WHERE pgno = ?2'),
    count: new Query<{ pages: number }>(db, 'SELECT page_count AS pages FROM pragma_page_count'),
  };
}
