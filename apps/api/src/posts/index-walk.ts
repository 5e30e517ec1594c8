import type { ArchiveIndex } from '@archive/search';
import { ObjectId } from 'mongodb';
import { type Asker, OURS } from '../question-queue.ts';
import type { IndexSource } from './indexed-source.ts';
import type { PostStore } from './post-store.ts';
import type { PostsForIndex } from './posts-for-index.ts';

/** Posts compared in one step, which takes about 20 ms of the database and of the writer thread. */
const PAGE = 500;
/** Duration of one pass over all posts, unless the least pause between pages makes it longer. */
const PASS_MS = 50 * 60_000;
const LEAST_PAUSE_MS = 20;

interface Parts {
  index: Pick<ArchiveIndex<Asker>, 'ask'>;
  store: Pick<PostStore, 'estimateCount'>;
  source: Pick<PostsForIndex, 'readPage'>;
  /** Applies the posts and returns how many of them differed in the index. */
  take(posts: IndexSource[]): Promise<number>;
  /** Checks posts again that only the index holds. */
  lookAgain(ids: ObjectId[]): Promise<void>;
}

/**
 * Compares every post with the index, page by page and without end, and corrects what differs. So each missed change is
 * corrected within an hour in an archive of a million posts.
 */
export class IndexWalk {
  readonly #parts: Parts;
  readonly #passMs: number;
  #after: ObjectId | null = null;
  #dueAt = 0;
  #pauseMs = LEAST_PAUSE_MS;
  #isHurried = false;
  /** Posts corrected since the process started. */
  mended = 0;

  constructor(parts: Parts, passMs = PASS_MS) {
    this.#parts = parts;
    this.#passMs = passMs;
  }

  get isDue(): boolean {
    return this.#isHurried || performance.now() >= this.#dueAt;
  }

  /** Restarts the pass and makes no pauses until every post has been compared. */
  hurry(): void {
    this.#after = null;
    this.#isHurried = true;
  }

  async step(): Promise<void> {
    if (this.#after === null) await this.#setPace();
    this.#dueAt = performance.now() + this.#pauseMs;
    const after = this.#after;
    const page = await this.#parts.source.readPage(after, PAGE);
    const last = page.length === PAGE ? (page.at(-1)?._id ?? null) : null;
    const extra = await this.#onlyInIndex(after, last, page);
    this.mended += (await this.#parts.take(page)) + extra.length;
    await this.#parts.lookAgain(extra);
    this.#after = last;
    if (last === null) this.#isHurried = false;
  }

  async #setPace(): Promise<void> {
    const pages = Math.ceil((await this.#parts.store.estimateCount()) / PAGE) + 1;
    this.#pauseMs = Math.max(LEAST_PAUSE_MS, this.#passMs / pages);
  }

  /** Posts that the index holds after `after` and up to `last`, and that are not in the page. */
  async #onlyInIndex(after: ObjectId | null, last: ObjectId | null, page: IndexSource[]): Promise<ObjectId[]> {
    const there = new Set(page.map((post) => post._id.toHexString()));
    const extra: ObjectId[] = [];
    for (let from = after?.id ?? null; ; ) {
      const held = await this.#parts.index.ask('walk', { after: from, limit: PAGE }, OURS);
      for (const oid of held) {
        if (last && Buffer.compare(oid, last.id) > 0) return extra;
        const id = new ObjectId(oid);
        if (!there.has(id.toHexString())) extra.push(id);
      }
      if (held.length < PAGE) return extra;
      from = held.at(-1) ?? null;
    }
  }
}
