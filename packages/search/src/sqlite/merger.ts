import { REMOVAL_MERGE_HOURS } from '@archive/contracts';
import { getMeta, type IndexFile, Query, setMeta } from './index-file.ts';

/** Posts taken in since the last merge of everything, in number and as a share of all, from which on it pays. */
const LOOSE_POSTS = 2_000;
const LOOSE_SHARE = 0.05;
/** Pages of the full text merged at a time: about 20 ms. */
const STEP_PAGES = 400;
const HOUR_MS = 3_600_000;

/**
 * Merges the pieces of the full text into one, a few pages at a time: after a flood there are many, which every question
 * has to look through; and a removed post's trigrams stay in theirs until it is merged. What it goes by stands in `meta`,
 * so that it holds whichever process opens the file: `loose`, posts taken in since the last merge; `gone`, whether words
 * went since then; `merged`, when it ended, in milliseconds since 1970.
 */
export class Merger {
  readonly #db: IndexFile;
  readonly #totalChanges: Query<{ n: number }>;
  #isUnderWay = false;
  /** Whether words went since the merge that is under way began: it may be past their place. */
  #isGoneMeanwhile = false;

  constructor(db: IndexFile) {
    this.#db = db;
    this.#totalChanges = new Query(db, 'SELECT total_changes() AS n');
  }

  /** Posts were taken in or removed; to be called in that transaction, as is the next. */
  note(changed: number): void {
    setMeta(this.#db, 'loose', this.#number('loose', 0) + changed);
  }

  /** Words or names of a post were removed. */
  noteGone(): void {
    this.#isGoneMeanwhile = true;
    if (this.#number('gone', 1) === 0) setMeta(this.#db, 'gone', 1);
  }

  isDue(posts: number): boolean {
    const loose = this.#number('loose', 0);
    return this.#isUnderWay || (loose >= LOOSE_POSTS && loose >= posts * LOOSE_SHARE) || this.#isDueForGone();
  }

  /** Whether there is more to merge. */
  step(): boolean {
    if (!this.#isUnderWay) this.#isGoneMeanwhile = false;
    const before = this.#countChanges();
    // A negative number begins to merge everything into one piece; a positive one goes on with it.
    const pages = this.#isUnderWay ? STEP_PAGES : -STEP_PAGES;
    this.#db.exec(`INSERT INTO search (search, rank) VALUES ('merge', ${pages})`);
    this.#isUnderWay = this.#countChanges() - before >= 2;
    if (!this.#isUnderWay) this.finish();
    return this.#isUnderWay;
  }

  /** Everything is in one piece now. */
  finish(): void {
    setMeta(this.#db, 'loose', 0);
    setMeta(this.#db, 'gone', this.#isGoneMeanwhile ? 1 : 0);
    setMeta(this.#db, 'merged', Date.now());
  }

  #isDueForGone(): boolean {
    // Files from before this was kept may hold anything.
    if (this.#number('gone', 1) === 0) return false;
    const ageMs = Date.now() - this.#number('merged', 0);
    // A clock that was set back must not put it off.
    return ageMs >= REMOVAL_MERGE_HOURS * HOUR_MS || ageMs < 0;
  }

  #countChanges(): number {
    return this.#totalChanges.first()?.n ?? 0;
  }

  #number(key: string, otherwise: number): number {
    return Number(getMeta(this.#db, key) ?? otherwise);
  }
}
