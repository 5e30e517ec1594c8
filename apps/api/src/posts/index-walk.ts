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
/**
 * The pause at a million posts. A shorter one would take a large share of the machine from the searches of a larger
 * archive.
 */
const LEAST_PAUSE_MS = 1_500;

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
 * corrected within about an hour in an archive of up to a million posts.
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
    const page = await this.#parts.source.readPage(this.#after, PAGE);
    const asked = { after: this.#after?.id ?? null, limit: PAGE };
    const held = (await this.#parts.index.ask('walk', asked, OURS)).map((oid) => new ObjectId(oid));
    const end = nearerEnd(
      page.map(({ _id }) => _id),
      held,
    );
    const isWithin = (id: ObjectId) => end === null || compareIds(id, end) <= 0;
    const posts = page.filter(({ _id }) => isWithin(_id));
    const there = new Set(posts.map(({ _id }) => _id.toHexString()));
    const extra = held.filter((id) => isWithin(id) && !there.has(id.toHexString()));
    this.mended += (await this.#parts.take(posts)) + extra.length;
    await this.#parts.lookAgain(extra);
    this.#after = end;
    if (end === null) this.#isHurried = false;
  }

  async #setPace(): Promise<void> {
    const pages = Math.ceil((await this.#parts.store.estimateCount()) / PAGE) + 1;
    this.#pauseMs = Math.max(LEAST_PAUSE_MS, this.#passMs / pages);
  }
}

/** The last id up to which both pages are complete; null if neither is full. */
function nearerEnd(...pages: ObjectId[][]): ObjectId | null {
  const ends = pages.flatMap((page) => (page.length === PAGE ? page.slice(-1) : []));
  return ends.sort(compareIds)[0] ?? null;
}

function compareIds(one: ObjectId, other: ObjectId): number {
  return Buffer.compare(one.id, other.id);
}
