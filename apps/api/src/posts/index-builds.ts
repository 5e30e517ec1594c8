import { type ArchiveIndex, type IndexedPost, type IndexPosition, NoRoomError } from '@archive/search';
import type { ObjectId } from 'mongodb';
import type { Lease } from '../background/lease.ts';
import type { DatabaseClock } from '../db/database.ts';
import type { Asker } from '../question-queue.ts';
import { toIndexedPost } from './indexed-source.ts';
import type { PostStore } from './post-store.ts';
import type { PostsForIndex } from './posts-for-index.ts';

/**
 * How far each look reads back: a change is stamped some time before it becomes visible. If that takes longer than
 * this, the walk finds the change.
 */
export const OVERLAP_MS = 10_000;
/** Posts in one batch of a build. Each batch delays requests by some milliseconds. */
const BATCH = 250;
/** Pause after a failed build. */
const AGAIN_MS = 60_000;
/**
 * Pause after a failed build of a shared index. It is short, because lists may be unavailable until the build succeeds.
 */
const SHARED_AGAIN_MS = 3_000;
/** How often a process renews the lease that it holds. */
const RENEW_MS = 5_000;
const LOG_MS = 2_000;

export interface BuildParts {
  index: Pick<ArchiveIndex<Asker>, 'rebuild' | 'isShared' | 'buildOrder'>;
  store: Pick<PostStore, 'estimateCount'>;
  source: PostsForIndex;
  clock: Pick<DatabaseClock, 'measure'>;
  log: Logger;
  /** The lease of a build: one process of an archive builds at a time. */
  lease: Pick<Lease, 'take' | 'end'>;
}

export interface Logger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * Builds the index from MongoDB beside the index in use. Applies the changes made during the build and then swaps the
 * new index in.
 */
export class IndexBuilds {
  readonly #parts: BuildParts;
  /** Aborted when the process stops; ends a running build. */
  readonly #signal: AbortSignal;
  #againAt = 0;
  /** Message that tells why there is no room for a new file; null if the last build did not fail for this reason. */
  noRoom: string | null = null;
  /** Error message of the last build; null after a success. */
  failure: string | null = null;
  /** Posts read so far and their estimated number; both 0 if no build runs. */
  underWay = { done: 0, total: 0, since: 0 };
  /** Whether another process has taken the lease during the build. */
  #isOvertaken = false;
  #isHolding = false;

  constructor(parts: BuildParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** False during the pause after a failed build. */
  get isAllowed(): boolean {
    return performance.now() >= this.#againAt;
  }

  /** Progress of the build as a message; null if no build runs. */
  get told(): string | null {
    const { done, total, since } = this.underWay;
    if (total === 0) return null;
    const told = `building: ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`;
    if (done === 0) return told;
    if (done >= total) return 'building: all posts are read; the index is being finished';
    const left = ((performance.now() - since) / done) * Math.max(0, total - done);
    return `${told}, ${Math.ceil(left / 1_000)} s left`;
  }

  /** Runs `work` under the lease. Returns false without running it if this or another process holds the lease. */
  async tryHolding(work: () => Promise<void>): Promise<boolean> {
    const { lease } = this.#parts;
    // The lease belongs to the process. A second `take` would succeed, so two pieces of work could run at once.
    if (this.#isHolding) return false;
    this.#isHolding = true;
    let renewal: Promise<void> | null = null;
    const renew = async () => {
      if (!(await lease.take())) this.#isOvertaken = true;
    };
    try {
      if (!(await lease.take())) return false;
      this.#isOvertaken = false;
      const renewing = setInterval(() => {
        renewal ??= renew()
          .catch(() => {})
          .finally(() => {
            renewal = null;
          });
      }, RENEW_MS);
      await work().finally(async () => {
        clearInterval(renewing);
        // A renewal after the end would hold the lease until it expires.
        await renewal;
        await lease.end();
      });
      return true;
    } finally {
      this.#isHolding = false;
    }
  }

  /**
   * Resolves once the new index is in use; it then holds all changes up to the returned position. `beat` is the current
   * mark of the database.
   */
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
    log.info({ posts: count }, 'built the archive index');
    return position;
  }

  /** Records a failed build and starts the pause before the next attempt. */
  giveUp(error: unknown): void {
    const { index, log } = this.#parts;
    this.#againAt = performance.now() + (index.isShared ? SHARED_AGAIN_MS : AGAIN_MS);
    const noRoom = error instanceof NoRoomError ? error.message : null;
    const isKnown = noRoom !== null && this.noRoom !== null;
    this.noRoom = noRoom;
    this.failure = (error as Error).message;
    if (isKnown || this.#signal.aborted) return;
    log.error({ err: error }, 'the archive index could not be built; trying again');
  }

  async *#readAll(): AsyncGenerator<IndexedPost[]> {
    const { index, source, log } = this.#parts;
    let loggedAt = performance.now();
    for await (const batch of source.readAll(BATCH, index.buildOrder)) {
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
