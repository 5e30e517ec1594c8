import { type ArchiveIndex, type IndexPosition, toRemoval } from '@archive/search';
import { ObjectId } from 'mongodb';
import { Loop } from '../background/loop.ts';
import type { ArchiveState } from '../db/archive-state.ts';
import type { DatabaseClock } from '../db/database.ts';
import { type Asker, OURS } from '../question-queue.ts';
import { IndexWalk } from './index-walk.ts';
import { type IndexSource, toIndexedPost } from './indexed-source.ts';
import type { PostChange } from './post-changes.ts';
import type { PostStore } from './post-store.ts';
import type { PostsForIndex } from './posts-for-index.ts';

const POLL_MS = 500;
/** Changes are stamped a moment before they are visible: so far back each look reaches. What takes longer, the walk finds. */
const OVERLAP_MS = 10_000;
/** How far changes were followed is written down at least this often. */
const KEEP_POSITION_MS = 10_000;
const BUILD_BATCH = 5_000;
/** In a flood; a lone change is taken in at once. */
const FOLLOW_BATCH = 10_000;
/** Changes taken in by one look: those of the last moments are remembered, and a flood must not be one moment. */
const LOOK_LIMIT = 100_000;
const WALK_PAGE = 10_000;
const FLOOD_POSTS = 500;
/** No change for so long: time to merge what a flood left in pieces. Merging during one would be done again and again. */
const QUIET_MS = 3_000;
/** Of each round, at most so long is spent on comparing. */
const WALK_SLICE_MS = 400;
/** Of a look, for overwriting what was removed. */
const FORGET_SLICE_MS = 250;
/** Until it is tried again where it failed. */
const FORGET_AGAIN_MS = 30_000;

export interface Progress {
  phase: 'building' | 'catching up' | 'ready';
  done: number;
  total: number;
}

interface Parts {
  index: ArchiveIndex<Asker>;
  store: Pick<PostStore, 'countLive' | 'estimateCount'>;
  source: PostsForIndex;
  state: ArchiveState;
  clock: Pick<DatabaseClock, 'measure'>;
  log: Logger;
  /** How long comparing every post with the index may take. */
  passMs?: number | undefined;
  /** How many changes one look takes in. */
  lookLimit?: number | undefined;
}

interface Logger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Keeps the index true to MongoDB: builds it, catches up after a pause, follows what any process writes. */
export class IndexFollower {
  readonly #index: ArchiveIndex<Asker>;
  readonly #store: Parts['store'];
  readonly #source: PostsForIndex;
  readonly #state: ArchiveState;
  readonly #clock: Pick<DatabaseClock, 'measure'>;
  readonly #log: Logger;
  readonly #walk: IndexWalk;
  readonly #lookLimit: number;
  /** Changes of the last moments that are taken in already, by post. */
  readonly #recent = new Map<string, bigint>();
  readonly #listeners: ((posts: readonly IndexSource[]) => void)[] = [];
  #epoch: string | undefined;
  readonly #replaced = new AbortController();
  /** Milliseconds since 1970 by the database's clock, and never ahead of it. */
  #position = 0;
  #kept: IndexPosition = { at: 0, beat: 0 };
  /** These by a clock that nobody sets. */
  #changedAt = performance.now();
  #lookedAt = performance.now();
  #forgetAt = 0;
  /** After a flood or a failure a change may have become visible later than any look reaches back: the counts will tell. */
  #isInDoubt = false;
  #progress: Progress = { phase: 'building', done: 0, total: 0 };
  readonly #loop: Loop;

  constructor({ index, store, source, state, clock, log, passMs, lookLimit = LOOK_LIMIT }: Parts) {
    this.#lookLimit = lookLimit;
    this.#index = index;
    this.#store = store;
    this.#source = source;
    this.#state = state;
    this.#clock = clock;
    this.#log = log;
    const take = (posts: readonly IndexSource[]) => this.#apply(posts);
    this.#walk = new IndexWalk({ index, store, source, take, lookAgain: (ids) => this.#mend(ids) }, passMs);
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

  /** Aborted where a restore has put another archive in the place of this one: nothing that is remembered holds. */
  get replaced(): AbortSignal {
    return this.#replaced.signal;
  }

  /** Told of posts that any process has changed, once a listing shows them so. */
  onTaken(listener: (posts: readonly IndexSource[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Milliseconds since when changes by other processes may not be shown yet. */
  get behindMs(): number {
    return performance.now() - this.#lookedAt;
  }

  /** Posts that the walk found different from what the index held. */
  get mended(): number {
    return this.#walk.mended;
  }

  /** Resolves when the index holds all that MongoDB held; then goes on following until stopped. */
  async start(): Promise<void> {
    const { isEmpty, position, posts } = await this.#index.summary();
    if (isEmpty || position === null) {
      await this.#build();
    } else {
      this.#position = position.at;
      this.#kept = position;
      this.#progress = { phase: 'catching up', done: posts, total: posts };
      await this.#mark();
      await this.#catchUp();
    }
    this.#progress = { ...this.#progress, phase: 'ready' };
    this.#isInDoubt = true;
    this.#loop.start();
  }

  /**
   * Takes in what this process has just changed, without waiting for the next look. While the index is built nothing is
   * taken in: the builder may be about to read the same post, and what it misses is followed after.
   */
  async take({ kind, ids, posts }: PostChange): Promise<void> {
    // The index holds no alias; reactions, which come in crowds, are taken in together by the next look.
    if (kind === 'alias' || kind === 'reactions' || this.#progress.phase === 'building') return;
    try {
      // What has just come has no reactions yet; of others they are counted.
      await this.#apply(kind === 'added' && posts ? posts : await this.#source.find(ids));
    } catch (error) {
      // The change is made and will be followed; that it is not shown yet is no failure of it.
      this.#isInDoubt = true;
      this.#log.error({ err: error }, 'a change could not be taken into the archive index yet');
    }
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #build(): Promise<void> {
    const beat = await this.#mark();
    const startedAt = { at: (await this.#clock.measure()).getTime() - OVERLAP_MS, beat };
    const total = await this.#store.estimateCount();
    this.#progress = { phase: 'building', done: 0, total };
    let batch: IndexSource[] = [];
    let writing: Promise<unknown> = Promise.resolve();
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
    for await (const post of this.#source.readAll(BUILD_BATCH)) {
      this.#loop.signal.throwIfAborted();
      batch.push(post);
      if (batch.length >= BUILD_BATCH) await flush();
    }
    await flush();
    await writing;
    await this.#index.finishBuild(startedAt);
    this.#position = startedAt.at;
    this.#kept = startedAt;
    this.#progress = { ...this.#progress, phase: 'catching up' };
    await this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    while (!(await this.#follow())) this.#loop.signal.throwIfAborted();
  }

  async #look(): Promise<void> {
    await this.#follow();
    await this.#tidyWhileQuiet();
    if (this.#isInDoubt && performance.now() - this.#changedAt >= QUIET_MS) {
      this.#isInDoubt = false;
      await this.#compare();
    }
    await this.#walkOn();
    await this.#forgetRemoved();
  }

  /**
   * A removal costs a pass over the whole file, which takes up to a third of the writer's time while it lasts
   * (docs/architecture.md, "Data kept").
   */
  async #forgetRemoved(): Promise<void> {
    const until = performance.now() + FORGET_SLICE_MS;
    if (performance.now() < this.#forgetAt) return;
    try {
      while (!this.#loop.signal.aborted && performance.now() < until && (await this.#index.forget()) === 'more') {
        // The writer is free for a new post between two pieces.
      }
    } catch (error) {
      // On a full disk all else goes on.
      this.#forgetAt = performance.now() + FORGET_AGAIN_MS;
      this.#log.error({ err: error }, 'what removed posts left in the index file could not be overwritten yet');
    }
  }

  async #walkOn(): Promise<void> {
    const until = performance.now() + WALK_SLICE_MS;
    while (this.#walk.isDue && performance.now() < until && !this.#loop.signal.aborted) await this.#walk.step();
  }

  /** Until there is nothing to merge or it is time to look for changes again. */
  async #tidyWhileQuiet(): Promise<void> {
    if (performance.now() - this.#changedAt < QUIET_MS) return;
    const lookAgainAt = performance.now() + POLL_MS;
    while (performance.now() < lookAgainAt && !this.#loop.signal.aborted && (await this.#index.tidy())) {
      // The writer is free for a new post between two pieces.
    }
  }

  /** Takes in what has changed since the last look; answers whether that was all. */
  async #follow(): Promise<boolean> {
    const beganAt = performance.now();
    const lookedAt = (await this.#clock.measure()).getTime();
    // Where the clock was set back, or a stamp lies ahead of it, what follows will be stamped before it.
    this.#position = Math.min(this.#position, lookedAt);
    const since = this.#forgetSettled();
    let ids: ObjectId[] = [];
    let taken = 0;
    let reached = this.#position;
    let stampedAt = lookedAt;
    let writing: Promise<unknown> = Promise.resolve();
    const flush = async () => {
      const upTo = reached;
      const posts = ids.length > 0 ? await this.#source.find(ids) : [];
      if (posts.length >= FLOOD_POSTS) this.#isInDoubt = true;
      taken += ids.length;
      ids = [];
      // One batch is written while the next is read.
      await writing;
      writing = this.#apply(posts).then(() => {
        this.#position = Math.max(this.#position, upTo);
        this.#forgetSettled();
      });
      // A failure surfaces at the next await; until then it must not count as unhandled.
      writing.catch(() => {});
    };
    for await (const change of this.#source.changesSince(since)) {
      this.#loop.signal.throwIfAborted();
      stampedAt = change.changedAt.getHighBits() * 1_000;
      // What is older than the overlap was visible at this look and is settled when it is taken in.
      reached = Math.max(reached, Math.min(lookedAt, stampedAt + OVERLAP_MS));
      if (this.#recent.get(change._id.toHexString()) !== change.changedAt.toBigInt()) ids.push(change._id);
      if (ids.length >= Math.min(FOLLOW_BATCH, this.#lookLimit)) await flush();
      if (taken >= this.#lookLimit) break;
    }
    await flush();
    await writing;
    const isAll = taken < this.#lookLimit;
    // Everything up to this look is taken in; what was on its way then lies within the overlap of the next one.
    if (isAll) this.#position = Math.max(this.#position, lookedAt);
    this.#lookedAt = isAll ? beganAt : beganAt - Math.max(0, lookedAt - stampedAt);
    if (Math.abs(this.#position - this.#kept.at) > KEEP_POSITION_MS) await this.#keepPosition();
    return isAll;
  }

  /** Forgets the changes that no look reaches back to; answers the second from which the next one reads. */
  #forgetSettled(): number {
    const since = Math.floor((this.#position - OVERLAP_MS) / 1_000);
    for (const [id, stamp] of this.#recent) if (stamp >> 32n < since) this.#recent.delete(id);
    return since;
  }

  async #keepPosition(): Promise<void> {
    const at = this.#position;
    const beat = await this.#mark();
    this.#kept = { at, beat };
    await this.#index.apply([], this.#kept);
  }

  /** Marks the database; one that bears fewer marks than it once did is an older copy, and nothing is as it was followed. */
  async #mark(): Promise<number> {
    const { beat, epoch } = await this.#state.mark();
    this.#epoch ??= epoch;
    if (epoch !== this.#epoch) this.#replaced.abort(new Error('another archive has taken the place of the database'));
    if (beat <= this.#kept.beat) {
      this.#log.error(
        { beat, before: this.#kept.beat },
        'the database is an older copy of itself; comparing every post',
      );
      this.#walk.hurry();
    }
    return beat;
  }

  async #apply(posts: readonly IndexSource[]): Promise<number> {
    const changed = posts.length > 0 ? await this.#index.apply(posts.map(toIndexedPost), null) : 0;
    if (changed > 0) this.#changedAt = performance.now();
    if (changed > 0) for (const listener of this.#listeners) listener(posts);
    for (const { _id, changedAt } of posts) if (changedAt) this.#recent.set(_id.toHexString(), changedAt.toBigInt());
    return changed;
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
      const held = await this.#source.find(batch);
      const there = new Set(held.map((post) => post._id.toHexString()));
      await this.#apply(held);
      const gone = batch.filter((id) => !there.has(id.toHexString()));
      await this.#index.apply(
        gone.map(({ id }) => toRemoval(id)),
        null,
      );
    }
  }

  /** Posts that only MongoDB holds, and posts that only the index holds. */
  async differences(): Promise<{ missing: ObjectId[]; extra: ObjectId[] }> {
    const missing: ObjectId[] = [];
    const extra: ObjectId[] = [];
    const held = this.#walkIndex();
    let next = await held.next();
    for await (const post of this.#source.walkIds()) {
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
      const page: Uint8Array[] = await this.#index.walk(last, WALK_PAGE, OURS);
      yield* page;
      if (page.length < WALK_PAGE) return;
      last = page.at(-1) ?? null;
    }
  }
}
