import { ObjectId } from 'mongodb';
import type { ArchiveIndex } from '../archive-index/archive-index.ts';
import { type IndexSource, toIndexedPost, toRemoval } from '../archive-index/post-table.ts';
import { Loop } from '../background/loop.ts';
import type { PostChange } from './post-changes.ts';
import type { PostStore } from './post-store.ts';

const POLL_MS = 500;
/** Changes are stamped a moment before they are visible, and clocks differ a little: so far back each look reaches. */
const OVERLAP_MS = 10_000;
/** How far changes were followed is written down at least this often. */
const KEEP_POSITION_MS = 10_000;
const BUILD_BATCH = 5_000;
/** In a flood; a lone change is taken in at once. */
const FOLLOW_BATCH = 10_000;
const WALK_PAGE = 10_000;
const FLOOD_POSTS = 500;
/** No change for so long: time to merge what a flood left in pieces. Merging during one would be done again and again. */
const QUIET_MS = 3_000;
/** The whole is compared this often, in case a change was missed all the same. */
const COMPARE_EVERY_MS = 10 * 60_000;
const FIRST_COMPARE_MS = 5_000;

export interface Progress {
  phase: 'building' | 'catching up' | 'ready';
  done: number;
  total: number;
}

interface Logger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Keeps the index true to MongoDB: builds it, catches up after a pause, follows what any process writes. */
export class IndexFollower {
  readonly #index: ArchiveIndex;
  readonly #store: PostStore;
  readonly #log: Logger;
  /** Changes of the last moments that are taken in already, by post. */
  readonly #recent = new Map<string, number>();
  #position = 0;
  #keptPosition = 0;
  #changedAt = Date.now();
  #comparedAt = 0;
  /** After a flood or a failure a change may have become visible later than any look reaches back: the counts will tell. */
  #isInDoubt = false;
  #progress: Progress = { phase: 'building', done: 0, total: 0 };
  readonly #loop: Loop;

  constructor(index: ArchiveIndex, store: PostStore, log: Logger) {
    this.#index = index;
    this.#store = store;
    this.#log = log;
    this.#loop = new Loop({
      pauseMs: POLL_MS,
      work: () => this.#look(),
      onFailure: (error) => {
        this.#isInDoubt = true;
        log.error({ err: error }, 'following changes failed; trying again');
      },
    });
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Resolves when the index holds all that MongoDB held; then goes on following until stopped. */
  async start(): Promise<void> {
    const { isEmpty, position, posts } = await this.#index.summary();
    if (isEmpty || position === null) {
      await this.#build();
    } else {
      this.#position = position;
      this.#progress = { phase: 'catching up', done: posts, total: posts };
      await this.#follow();
    }
    this.#progress = { ...this.#progress, phase: 'ready' };
    this.#comparedAt = Date.now() - COMPARE_EVERY_MS + FIRST_COMPARE_MS;
    this.#loop.start();
  }

  /**
   * Takes in what this process has just changed, without waiting for the next look. While the index is built nothing is
   * taken in: the builder may be about to read the same post, and what it misses is followed after.
   */
  async take({ kind, ids, posts }: PostChange): Promise<void> {
    // The index holds neither.
    if (kind === 'alias' || kind === 'reactions') return;
    if (this.#progress.phase !== 'building') await this.#apply(posts ?? (await this.#store.findForIndex(ids)), null);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #build(): Promise<void> {
    const startedAt = this.#store.now().getTime() - OVERLAP_MS;
    const total = await this.#store.estimateCount();
    this.#progress = { phase: 'building', done: 0, total };
    let batch: IndexSource[] = [];
    let writing: Promise<void> = Promise.resolve();
    let loggedAt = Date.now();
    const flush = async () => {
      // One batch is written while the next is read.
      await writing;
      const posts = batch.map(toIndexedPost);
      batch = [];
      this.#progress = { phase: 'building', done: this.#progress.done + posts.length, total };
      writing = this.#index.apply(posts, null);
      // A failure surfaces at the next await; until then it must not count as unhandled.
      writing.catch(() => {});
      if (Date.now() - loggedAt > 2_000) {
        loggedAt = Date.now();
        this.#log.info({ done: this.#progress.done, total }, 'building the archive index');
      }
    };
    for await (const post of this.#store.readForIndex(BUILD_BATCH)) {
      this.#loop.signal.throwIfAborted();
      batch.push(post);
      if (batch.length >= BUILD_BATCH) await flush();
    }
    await flush();
    await writing;
    await this.#index.finishBuild(startedAt);
    this.#position = startedAt;
    this.#progress = { ...this.#progress, phase: 'catching up' };
    await this.#follow();
  }

  async #look(): Promise<void> {
    await this.#follow();
    await this.#tidyWhileQuiet();
    const isDoubtDue = this.#isInDoubt && Date.now() - this.#changedAt >= QUIET_MS;
    if (isDoubtDue || Date.now() - this.#comparedAt > COMPARE_EVERY_MS) {
      this.#isInDoubt = false;
      this.#comparedAt = Date.now();
      await this.#compare();
    }
  }

  /** Until there is nothing to merge or it is time to look for changes again. */
  async #tidyWhileQuiet(): Promise<void> {
    if (Date.now() - this.#changedAt < QUIET_MS) return;
    const lookAgainAt = Date.now() + POLL_MS;
    while (Date.now() < lookAgainAt && !this.#loop.signal.aborted && (await this.#index.tidy())) {
      // The writer is free for a new post between two pieces.
    }
  }

  async #follow(): Promise<void> {
    const since = this.#position - OVERLAP_MS;
    const lookedAt = this.#store.now().getTime();
    for (const [id, at] of this.#recent) if (at < since) this.#recent.delete(id);
    let ids: ObjectId[] = [];
    let reached = this.#position;
    let writing: Promise<void> = Promise.resolve();
    const flush = async () => {
      const upTo = reached;
      const posts = ids.length > 0 ? await this.#store.findForIndex(ids) : [];
      if (posts.length >= FLOOD_POSTS) this.#isInDoubt = true;
      ids = [];
      // One batch is written while the next is read.
      await writing;
      writing = (posts.length > 0 ? this.#apply(posts, upTo) : Promise.resolve()).then(() => {
        this.#position = Math.max(this.#position, upTo);
      });
      // A failure surfaces at the next await; until then it must not count as unhandled.
      writing.catch(() => {});
    };
    for await (const change of this.#store.changesSince(new Date(since))) {
      this.#loop.signal.throwIfAborted();
      const at = change.updatedAt.getTime();
      reached = Math.max(reached, at);
      if (this.#recent.get(change._id.toHexString()) !== at) ids.push(change._id);
      if (ids.length >= FOLLOW_BATCH) await flush();
    }
    await flush();
    await writing;
    // Everything up to this look is taken in; what was on its way then lies within the overlap of the next one.
    this.#position = Math.max(this.#position, lookedAt);
    if (this.#position - this.#keptPosition > KEEP_POSITION_MS) {
      this.#keptPosition = this.#position;
      await this.#index.apply([], this.#position);
    }
  }

  async #apply(posts: readonly IndexSource[], position: number | null): Promise<void> {
    await this.#index.apply(posts.map(toIndexedPost), position);
    this.#changedAt = Date.now();
    for (const post of posts) this.#recent.set(post._id.toHexString(), post.updatedAt.getTime());
  }

  /** Looks at every id on both sides where the counts differ, and mends what is missing or left over. */
  async #compare(): Promise<void> {
    const { posts } = await this.#index.summary();
    if ((await this.#store.countLive()) === posts) return;
    const { missing, extra } = await this.differences();
    await this.#mend(missing);
    await this.#mend(extra);
    this.#log.info({ missing: missing.length, extra: extra.length }, 'compared the archive index with the database');
  }

  /** Takes posts in as MongoDB has them now: during the walk some came and some went. */
  async #mend(ids: ObjectId[]): Promise<void> {
    for (let at = 0; at < ids.length; at += FOLLOW_BATCH) {
      const batch = ids.slice(at, at + FOLLOW_BATCH);
      const held = await this.#store.findForIndex(batch);
      const there = new Set(held.map((post) => post._id.toHexString()));
      await this.#apply(held, null);
      const gone = batch.filter((id) => !there.has(id.toHexString()));
      await this.#index.apply(gone.map(toRemoval), null);
    }
  }

  /** Posts that only MongoDB holds, and posts that only the index holds. */
  async differences(): Promise<{ missing: ObjectId[]; extra: ObjectId[] }> {
    const missing: ObjectId[] = [];
    const extra: ObjectId[] = [];
    const held = this.#walkIndex();
    let next = await held.next();
    for await (const post of this.#store.walkIds()) {
      if (post.removedAt) continue;
      while (!next.done && Buffer.compare(next.value, post._id.id) < 0) {
        extra.push(new ObjectId(next.value));
        next = await held.next();
      }
      if (!next.done && Buffer.compare(next.value, post._id.id) === 0) next = await held.next();
      else missing.push(post._id);
    }
    for (; !next.done; next = await held.next()) extra.push(new ObjectId(next.value));
    return { missing, extra };
  }

  async *#walkIndex(): AsyncGenerator<Uint8Array> {
    let last: Uint8Array | null = null;
    for (;;) {
      const page: Uint8Array[] = await this.#index.walk(last, WALK_PAGE);
      yield* page;
      if (page.length < WALK_PAGE) return;
      last = page.at(-1) ?? null;
    }
  }
}
