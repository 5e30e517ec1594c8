import type { ArchiveIndex } from '@archive/search';
import { ObjectId } from 'mongodb';
import { type Asker, OURS } from '../question-queue.ts';
import type { IndexSource } from './indexed-source.ts';
import type { PostStore } from './post-store.ts';
import type { PostsForIndex } from './posts-for-index.ts';

/** Posts compared at a time: some 20 ms of the database's and of the writer's time. */
const PAGE = 500;
/** Every post is compared so often, as long as pages follow each other no faster than that. */
const PASS_MS = 50 * 60_000;
const LEAST_PAUSE_MS = 20;

interface Parts {
  index: Pick<ArchiveIndex<Asker>, 'ask'>;
  store: Pick<PostStore, 'estimateCount'>;
  source: Pick<PostsForIndex, 'readPage'>;
  /** Takes posts in as they are, and answers how many of them the index held otherwise. */
  take(posts: IndexSource[]): Promise<number>;
  /** Looks again at posts that only the index holds. */
  lookAgain(ids: ObjectId[]): Promise<void>;
}

/**
 * Compares every post with the index, a page at a time and without end, and takes in what differs: whatever was missed,
 * for whatever reason, is right again within the hour at a million posts.
 */
export class IndexWalk {
  readonly #parts: Parts;
  readonly #passMs: number;
  #after: ObjectId | null = null;
  #dueAt = 0;
  #pauseMs = LEAST_PAUSE_MS;
  #isHurried = false;
  /** Posts found different since the process began. */
  mended = 0;

  constructor(parts: Parts, passMs = PASS_MS) {
    this.#parts = parts;
    this.#passMs = passMs;
  }

  get isDue(): boolean {
    return this.#isHurried || performance.now() >= this.#dueAt;
  }

  /** Begins again and does not pause until every post has been compared. */
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

  /** What the index holds after `after` and up to `last`, and the page does not. */
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
