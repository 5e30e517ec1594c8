import { type ArchiveIndex, type IndexedPost, type IndexPosition, NoRoomError } from '@archive/search';
import type { ObjectId } from 'mongodb';
import type { Lease } from '../background/lease.ts';
import type { DatabaseClock } from '../db/database.ts';
import type { Asker } from '../question-queue.ts';
import { toIndexedPost } from './indexed-source.ts';
import type { PostStore } from './post-store.ts';
import type { PostsForIndex } from './posts-for-index.ts';

/** Changes are stamped a moment before they are visible: so far back each look reaches. What takes longer, the walk finds. */
export const OVERLAP_MS = 10_000;
/** Posts that a build hands over at once; requests wait some milliseconds meanwhile. */
const BATCH = 250;
/** Pause after a failed build. */
const AGAIN_MS = 60_000;
/** Pause after a failed build of a shared index: lists may have no other answer until it is built. */
const SHARED_AGAIN_MS = 3_000;
/** How often the lease is renewed while it is held. */
const RENEW_MS = 5_000;
const LOG_MS = 2_000;

export interface BuildParts {
  index: Pick<ArchiveIndex<Asker>, 'rebuild' | 'isShared'>;
  store: Pick<PostStore, 'estimateCount'>;
  source: PostsForIndex;
  clock: Pick<DatabaseClock, 'measure'>;
  log: Logger;
  /** Held during a build: one process of an archive builds at a time. */
  lease: Pick<Lease, 'take' | 'end'>;
}

export interface Logger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Builds the index from MongoDB, beside the one in use, and puts it in place with what has changed while it was built. */
export class IndexBuilds {
  readonly #parts: BuildParts;
  /** Ends builds when the process ends. */
  readonly #signal: AbortSignal;
  #againAt = 0;
  /** Why no new file is built, in words. */
  noRoom: string | null = null;
  /** Why the last build failed. */
  failure: string | null = null;
  /** Posts read of about how many there are; 0 of 0 where no build is under way. */
  underWay = { done: 0, total: 0, since: 0 };
  /** Whether the lease has ended under the build. */
  #isOvertaken = false;
  #isHolding = false;

  constructor(parts: BuildParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** False in the pause after a failed build. */
  get isAllowed(): boolean {
    return performance.now() >= this.#againAt;
  }

  /** How far a build is, in words. */
  get told(): string | null {
    const { done, total, since } = this.underWay;
    if (total === 0) return null;
    const told = `building: ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`;
    if (done === 0) return told;
    if (done >= total) return 'building: all posts are read; the index is being finished';
    const left = ((performance.now() - since) / done) * Math.max(0, total - done);
    return `${told}, ${Math.ceil(left / 1_000)} s left`;
  }

  /** Does the work under the lease. Answers false, with nothing done, if another work or another process holds the lease. */
  async tryHolding(work: () => Promise<void>): Promise<boolean> {
    const { lease } = this.#parts;
    // The lease is of the process: taken twice it would let two works run beside each other.
    if (this.#isHolding) return false;
    this.#isHolding = true;
    const renew = async () => {
      if (!(await lease.take())) this.#isOvertaken = true;
    };
    try {
      if (!(await lease.take())) return false;
      this.#isOvertaken = false;
      const renewing = setInterval(() => void renew().catch(() => {}), RENEW_MS);
      await work().finally(async () => {
        clearInterval(renewing);
        await lease.end();
      });
      return true;
    } finally {
      this.#isHolding = false;
    }
  }

  /** Resolves once the new index is in place: it holds all changes up to the position. `beat` is the mark that the database now bears. */
  async build(beat: number): Promise<IndexPosition> {
    const { index, store, source, log } = this.#parts;
    const since = await this.#now();
    const count = await store.estimateCount();
    let position = { at: since, beat };
    this.underWay = { done: 0, total: count, since: performance.now() };
    await index
      .rebuild({
        posts: this.#readAll(),
        count,
        catchUp: async (take) => {
          this.#refuseOvertaken();
          position = { at: await this.#now(), beat };
          for await (const ids of inBatches(source.changesSince(Math.floor((since - OVERLAP_MS) / 1_000)))) {
            this.#signal.throwIfAborted();
            await take((await source.find(ids)).map(toIndexedPost));
          }
          return position;
        },
      })
      .finally(() => {
        this.underWay = { done: 0, total: 0, since: 0 };
      });
    [this.noRoom, this.failure] = [null, null];
    log.info({ posts: count }, 'built a new file of the archive index');
    return position;
  }

  /** Another attempt is made after a pause. */
  giveUp(error: unknown): void {
    const { index, log } = this.#parts;
    this.#againAt = performance.now() + (index.isShared ? SHARED_AGAIN_MS : AGAIN_MS);
    const noRoom = error instanceof NoRoomError ? error.message : null;
    const isKnown = noRoom !== null && this.noRoom !== null;
    this.noRoom = noRoom;
    this.failure = (error as Error).message;
    if (isKnown || this.#signal.aborted) return;
    log.error({ err: error }, 'a new file of the archive index could not be built; trying again');
  }

  async *#readAll(): AsyncGenerator<IndexedPost[]> {
    const { source, log } = this.#parts;
    let loggedAt = performance.now();
    for await (const batch of source.readAll(BATCH)) {
      this.#signal.throwIfAborted();
      this.#refuseOvertaken();
      yield batch.map(toIndexedPost);
      this.underWay.done += batch.length;
      if (performance.now() - loggedAt < LOG_MS) continue;
      loggedAt = performance.now();
      log.info({ done: this.underWay.done }, 'building the archive index');
    }
    this.underWay.done = this.underWay.total;
  }

  #refuseOvertaken(): void {
    if (this.#isOvertaken) throw new Error('another process has begun to build');
  }

  async #now(): Promise<number> {
    return (await this.#parts.clock.measure()).getTime();
  }
}

async function* inBatches(changes: AsyncIterable<{ _id: ObjectId }>): AsyncGenerator<ObjectId[]> {
  let ids: ObjectId[] = [];
  for await (const { _id } of changes) {
    if (ids.push(_id) < BATCH) continue;
    yield ids;
    ids = [];
  }
  yield ids;
}
