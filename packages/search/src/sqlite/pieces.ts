import { type IndexFile, Query } from './index-file.ts';
import { type PostColumns, SEPARATOR } from './post-table.ts';

/**
 * `BEYOND` exceeds every code point. `ASCII` exceeds those of ASCII: pairs within ASCII are the most frequent, and
 * fixed arrays count them.
 */
const BEYOND = 0x11_0000;
const ASCII = 0x80;
const NONE = SEPARATOR.codePointAt(0) as number;

/**
 * Counts the posts that hold each text of one or two letters. Texts are encoded as numbers; a single letter is a pair
 * whose first part is `NONE`. The counts of a batch are collected and written once.
 */
export class Pieces {
  readonly #add: Query<unknown>;
  readonly #drop: Query<unknown>;
  readonly #changes = new Map<number, number>();
  readonly #ofPost = new Set<number>();
  /** The same for pairs within ASCII: the changes, and the last post that had each pair. */
  readonly #asciiChanges = new Int32Array(ASCII * ASCII);
  readonly #asciiPosts = new Int32Array(ASCII * ASCII);
  #post = 0;

  constructor(db: IndexFile) {
    this.#add = new Query(db, 'INSERT INTO piece VALUES (?1, ?2) ON CONFLICT DO UPDATE SET posts = posts + ?2');
    this.#drop = new Query(db, 'DELETE FROM piece WHERE text = ? AND posts = 0');
  }

  /** `by` is 1 for an added post and -1 for a removed one. */
  tally({ content, names }: Pick<PostColumns, 'content' | 'names'>, by: 1 | -1): void {
    this.#ofPost.clear();
    this.#post++;
    this.#gather(content, by);
    this.#gather(names, by);
    for (const piece of this.#ofPost) this.#changes.set(piece, (this.#changes.get(piece) ?? 0) + by);
  }

  write(): void {
    for (const [pair, change] of this.#asciiChanges.entries()) {
      if (change !== 0) this.#changes.set(Math.floor(pair / ASCII) * BEYOND + (pair % ASCII), change);
    }
    for (const [piece, change] of this.#changes) {
      if (change === 0) continue;
      this.#add.run(textOf(piece), change);
      if (change < 0) this.#drop.run(textOf(piece));
    }
    this.forget();
  }

  forget(): void {
    this.#changes.clear();
    this.#asciiChanges.fill(0);
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
    (this.#asciiChanges[pair] as number) += by;
  }
}

function textOf(piece: number): string {
  const [first, second] = [Math.floor(piece / BEYOND), piece % BEYOND];
  return first === NONE ? String.fromCodePoint(second) : String.fromCodePoint(first, second);
}
