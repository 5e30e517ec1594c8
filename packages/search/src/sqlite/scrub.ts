import { type IndexFile, Query } from './index-file.ts';

/** Pages looked at in one step: 8 MB, some 20 ms. */
const STEP_PAGES = 1_000;
const ZEROS = Buffer.alloc(65_536);
/**
 * Kinds of pages of a tree, by their first byte, and the length of their headers. Other pages begin with a page's number,
 * so with a zero: 256 GB would have to be reached for another byte.
 */
const TREE_HEADERS: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };
const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const TABLE_LEAF = 13;
/** What a freeblock's own place and length take, and the number that a page of a chain begins with. */
const HEAD = 4;

interface Page {
  pgno: number;
  data: Uint8Array;
}

/** What the file says of itself: bytes of a page that hold anything, and the pages that are in no use. */
interface Layout {
  usable: number;
  /** By page, where its zeros may begin: lists of other free pages keep what they name. */
  free: ReadonlyMap<number, number>;
}

/**
 * Overwrites what the file no longer needs. SQLite overwrites a deleted row in its place (`secure_delete`), but where it
 * has moved rows to another page, what they were stays in the free space of the old one, and so it does in pages that
 * are in no use and behind the end of long texts. The layout is that of https://www.sqlite.org/fileformat2.html.
 */
export class Scrubber {
  readonly #db: IndexFile;
  readonly #stepPages: number;
  readonly #statements: ReturnType<typeof prepare>;
  /** The page that comes next; null while no pass is under way. */
  #next: number | null = null;

  /** `stepPages`: how many pages a step looks at. */
  constructor(db: IndexFile, stepPages = STEP_PAGES) {
    this.#db = db;
    this.#stepPages = stepPages;
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
    const last = this.#next + this.#stepPages - 1;
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      // Read in each step anew: between two of them pages come into use.
      const layout = this.#readLayout();
      for (const page of this.#statements.some.all(this.#next, last)) this.#clearPage(page, layout);
      const { pages } = this.#statements.count.first() as { pages: number };
      this.#db.exec('COMMIT');
      this.#next = last < pages ? last + 1 : null;
      return this.#next !== null;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Pages in no use stand in a chain of lists, each of which names 2,000 others: few need be read. */
  #readLayout(): Layout {
    const free = new Map<number, number>();
    const first = this.#read(1);
    if (!first) return { usable: 0, free };
    const usable = first.length - (first[20] as number);
    const total = uint32(first, 36);
    for (let list = uint32(first, 32); list !== 0 && free.size < total; ) {
      const data = this.#read(list);
      if (!data) break;
      const count = uint32(data, 4);
      free.set(list, 8 + 4 * count);
      for (let at = 0; at < count; at++) free.set(uint32(data, 8 + 4 * at), 0);
      list = uint32(data, 0);
    }
    return { usable, free };
  }

  #clearPage({ pgno, data }: Page, { usable, free }: Layout): void {
    const from = free.get(pgno);
    const header = TREE_HEADERS[data[0] as number];
    let isChanged = false;
    if (from !== undefined) {
      isChanged = clear(data, from, data.length);
    } else if (header !== undefined) {
      isChanged = clearGaps(data, header);
      this.#clearTails(data, header, usable);
    }
    if (isChanged) this.#statements.write.run(data, pgno);
  }

  /** Behind the end of texts that go on in pages of their own: one that was in use before keeps what it held. */
  #clearTails(data: Uint8Array, header: number, usable: number): void {
    const kind = data[0] as number;
    if (kind === INTERIOR_TABLE) return;
    const most = kind === TABLE_LEAF ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    for (let cell = 0; cell < uint16(data, 3); cell++) {
      const begin = uint16(data, header + 2 * cell) + (kind === INTERIOR_INDEX ? 4 : 0);
      const [length, afterLength] = varint(data, begin);
      if (length <= most) continue;
      const [, from] = kind === TABLE_LEAF ? varint(data, afterLength) : [0, afterLength];
      const fitting = least + ((length - least) % (usable - HEAD));
      const here = fitting <= most ? fitting : least;
      this.#clearTail(uint32(data, from + here), length - here, usable - HEAD);
    }
  }

  #clearTail(first: number, length: number, perPage: number): void {
    let pgno = first;
    let left = length;
    for (let data = this.#read(pgno); data; data = this.#read(pgno)) {
      if (left <= perPage) {
        if (clear(data, HEAD + left, data.length)) this.#statements.write.run(data, pgno);
        return;
      }
      left -= perPage;
      pgno = uint32(data, 0);
    }
  }

  #read(pgno: number): Uint8Array | undefined {
    return this.#statements.some.first(pgno, pgno)?.data;
  }
}

/** Between the list of a page's cells and the first of them, and between cells, where a chain leads from gap to gap. */
function clearGaps(data: Uint8Array, header: number): boolean {
  let isChanged = clear(data, header + 2 * uint16(data, 3), uint16(data, 5));
  // In ascending order, so that it ends whatever it says.
  for (let at = uint16(data, 1), before = 0; at > before; before = at, at = uint16(data, at)) {
    if (clear(data, at + HEAD, at + uint16(data, at + 2))) isChanged = true;
  }
  return isChanged;
}

/** Whether there was anything else than zeros. */
function clear(data: Uint8Array, from: number, to: number): boolean {
  if (from >= to || to > data.length) return false;
  const space = Buffer.from(data.buffer, data.byteOffset + from, to - from);
  if (space.equals(ZEROS.subarray(0, to - from))) return false;
  space.fill(0);
  return true;
}

function uint16(data: Uint8Array, at: number): number {
  return ((data[at] as number) << 8) | (data[at + 1] as number);
}

function uint32(data: Uint8Array, at: number): number {
  return new DataView(data.buffer, data.byteOffset).getUint32(at);
}

/** A number of up to nine bytes, and where it ends. Lengths are short; of the others the end alone is asked for. */
function varint(data: Uint8Array, from: number): [value: number, end: number] {
  let value = 0;
  for (let at = from; at < from + 8; at++) {
    const byte = data[at] as number;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  return [value, from + 9];
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
