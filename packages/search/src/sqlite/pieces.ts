import { monthOf } from '@archive/contracts';
import { type IndexFile, Query } from './index-file.ts';
import { type MonthCounts, packMonths, unpackMonths } from './month-counts.ts';
import { categoryToken, type PostColumns, SEPARATOR } from './post-table.ts';
import { DAY_MS } from './schema.ts';
import { tokensOf } from './traits.ts';

/** More than any code point; and than those of ASCII, most of all there are, which are counted without looking them up. */
const BEYOND = 0x11_0000;
const ASCII = 0x80;
const NONE = SEPARATOR.codePointAt(0) as number;

type Texts = Pick<PostColumns, 'at' | 'content' | 'names'>;

/** The empty text stands in every post: its counts are those of the archive. */
export const EVERY_POST = '';

/**
 * Counts in how many posts of each month each text of one or two letters stands, and each token of categories and traits.
 * A batch's counts are gathered, of texts as numbers, single letters as pairs that begin with nothing, and written once.
 */
export class Pieces {
  readonly #find: Query<{ months: Uint8Array }>;
  readonly #keep: Query<unknown>;
  readonly #drop: Query<unknown>;
  readonly #changes = new Map<number | string, MonthCounts>();
  readonly #ofPost = new Set<number>();
  /** The same of pairs within ASCII and the month of the last post: changes, which of them, and the last post that had each. */
  readonly #asciiChanges = new Int32Array(ASCII * ASCII);
  readonly #asciiChanged = new Set<number>();
  readonly #asciiPosts = new Int32Array(ASCII * ASCII);
  #month = 0;
  #post = 0;

  constructor(db: IndexFile) {
    this.#find = new Query(db, 'SELECT months FROM piece WHERE text = ?');
    this.#keep = new Query(
      db,
      'INSERT INTO piece VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET posts = ?2, months = ?3',
    );
    this.#drop = new Query(db, 'DELETE FROM piece WHERE text = ?');
  }

  /** `by`: 1 for a post that comes, -1 for one that goes. */
  tally({ at, content, names }: Texts, by: 1 | -1): void {
    const month = monthOf(Math.floor(at / DAY_MS));
    if (month !== this.#month) this.#gatherAscii();
    this.#month = month;
    this.#ofPost.clear();
    this.#post++;
    this.#gather(content, by);
    this.#gather(names, by);
    for (const piece of this.#ofPost) this.#change(piece, month, by);
  }

  /** `by`: posts of this kind that come, less than 0 of those that go. */
  tallyKind(month: number, category: number, traits: number, by: number): void {
    for (const token of [EVERY_POST, categoryToken(category), ...tokensOf(traits)]) this.#change(token, month, by);
  }

  write(): void {
    this.#gatherAscii();
    for (const [piece, changes] of this.#changes)
      this.#write(typeof piece === 'string' ? piece : textOf(piece), changes);
    this.forget();
  }

  forget(): void {
    this.#changes.clear();
    this.#asciiChanges.fill(0);
    this.#asciiChanged.clear();
  }

  #write(text: string, changes: MonthCounts): void {
    const held = this.#find.first(text);
    const months = held ? unpackMonths(held.months) : new Map<number, number>();
    for (const [month, by] of changes) months.set(month, (months.get(month) ?? 0) + by);
    const posts = [...months.values()].reduce((sum, count) => sum + count, 0);
    if (posts > 0) this.#keep.run(text, posts, packMonths(months));
    else if (held) this.#drop.run(text);
  }

  #change(piece: number | string, month: number, by: number): void {
    let months = this.#changes.get(piece);
    if (!months) {
      months = new Map();
      this.#changes.set(piece, months);
    }
    months.set(month, (months.get(month) ?? 0) + by);
  }

  #gatherAscii(): void {
    for (const pair of this.#asciiChanged) {
      const change = this.#asciiChanges[pair] as number;
      if (change !== 0) this.#change(Math.floor(pair / ASCII) * BEYOND + (pair % ASCII), this.#month, change);
      this.#asciiChanges[pair] = 0;
    }
    this.#asciiChanged.clear();
  }

  #gather(text: string, by: 1 | -1): void {
    let before = NONE;
    for (let at = 0; at < text.length; ) {
      const point = text.codePointAt(at) as number;
      at += point > 0xff_ff ? 2 : 1;
      if (point !== NONE) {
        this.#note(NONE, point, by);
        if (before !== NONE) this.#note(before, point, by);
      }
      before = point;
    }
  }

  #note(first: number, second: number, by: 1 | -1): void {
    if (first >= ASCII || second >= ASCII) {
      this.#ofPost.add(first * BEYOND + second);
      return;
    }
    const pair = first * ASCII + second;
    if (this.#asciiPosts[pair] === this.#post) return;
    this.#asciiPosts[pair] = this.#post;
    if (this.#asciiChanges[pair] === 0) this.#asciiChanged.add(pair);
    (this.#asciiChanges[pair] as number) += by;
  }
}

function textOf(piece: number): string {
  const [first, second] = [Math.floor(piece / BEYOND), piece % BEYOND];
  return first === NONE ? String.fromCodePoint(second) : String.fromCodePoint(first, second);
}
