import { REMOVAL_MERGE_HOURS } from '@archive/contracts';
import { type ArchiveIndex, type IndexedPost, type IndexPosition, toRemoval } from '@archive/search';
import type { ObjectId } from 'mongodb';
import type { Lease } from '../background/lease.ts';
import { Loop } from '../background/loop.ts';
import type { ArchiveState } from '../db/archive-state.ts';
import type { DatabaseClock } from '../db/database.ts';
import type { Asker } from '../question-queue.ts';
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
const FLOOD_POSTS = 500;
/** No change for so long: a flood has come to its end. */
const QUIET_MS = 3_000;
/** Of each round, at most so long is spent on comparing. */
const WALK_SLICE_MS = 400;
/** Where so many changes wait, in number and as a share of what the index holds, building it anew is faster than taking them in. */
const REBUILT_FROM = { posts: 20_000, share: 0.25 };
/** A flood without end is not waited for any longer. */
const LONGEST_FLOOD_MS = 60_000;
/** Words of removed posts leave the file with the next building, which has some hours for it. */
const GONE_AFTER_MS = (REMOVAL_MERGE_HOURS - 4) * 3_600_000;
/** How often it is looked whether building is due, and until it is tried again where it failed. */
const REBUILD_LOOK_MS = 60_000;
/** A lease is renewed so often while it is used. */
const RENEW_MS = 5_000;

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
  /** Of building: of the processes of an archive one does it at a time. */
  lease: Pick<Lease, 'take' | 'end'>;
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
  readonly #lease: Parts['lease'];
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
  #rebuildAt = 0;
  #rebuilding: Promise<void> | null = null;
  /** Since when more waits than is worth taking in post by post, by the clock that nobody sets. */
  #floodedAt: number | null = null;
  /** After a flood or a failure a change may have become visible later than any look reaches back: the counts will tell. */
  #isInDoubt = false;
  #progress: Progress = { phase: 'building', done: 0, total: 0 };
  readonly #loop: Loop;

  constructor({ index, store, source, state, clock, log, lease, passMs, lookLimit = LOOK_LIMIT }: Parts) {
    this.#lookLimit = lookLimit;
    this.#index = index;
    this.#store = store;
    this.#source = source;
    this.#state = state;
    this.#clock = clock;
    this.#log = log;
    this.#lease = lease;
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
    const { position, posts } = await this.#index.summary();
    if (position === null) {
      const total = await this.#store.estimateCount();
      this.#progress = { phase: 'building', done: 0, total };
      this.#kept = await this.#build((done) => {
        this.#progress = { phase: 'building', done, total };
      });
      this.#position = this.#kept.at;
    } else {
      this.#position = position.at;
      this.#kept = position;
      await this.#mark();
    }
    this.#progress = { ...this.#progress, done: posts, total: posts, phase: 'catching up' };
    await this.#catchUp();
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

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#rebuilding;
  }

  /** Builds the index anew, beside the one in use; answers up to where changes are in it. */
  async #build(onProgress: (done: number) => void = () => {}): Promise<IndexPosition> {
    const beat = await this.#mark();
    const startedAt = (await this.#clock.measure()).getTime() - OVERLAP_MS;
    let position = { at: startedAt, beat };
    await this.#index.rebuild(this.#readAll(onProgress), async (take) => {
      for (let taken = FOLLOW_BATCH; taken >= FOLLOW_BATCH; ) {
        const lookedAt = (await this.#clock.measure()).getTime();
        taken = await this.#takeSince(Math.floor((position.at - OVERLAP_MS) / 1_000), take);
        position = { at: lookedAt, beat };
      }
      return position;
    });
    return position;
  }

  async *#readAll(onProgress: (done: number) => void): AsyncGenerator<IndexedPost[]> {
    let batch: IndexedPost[] = [];
    let done = 0;
    let loggedAt = Date.now();
    for await (const post of this.#source.readAll(BUILD_BATCH)) {
      this.#loop.signal.throwIfAborted();
      if (batch.push(toIndexedPost(post)) < BUILD_BATCH) continue;
      yield batch;
      done += batch.length;
      batch = [];
      onProgress(done);
      if (Date.now() - loggedAt < 2_000) continue;
      loggedAt = Date.now();
      this.#log.info({ done }, 'building the archive index');
    }
    yield batch;
  }

  /** Hands over what has changed since a second, as it is now; answers how much that was. */
  async #takeSince(second: number, take: (posts: IndexedPost[]) => Promise<unknown>): Promise<number> {
    let ids: ObjectId[] = [];
    let taken = 0;
    const flush = async () => {
      taken += ids.length;
      if (ids.length > 0) await take((await this.#source.find(ids)).map(toIndexedPost));
      ids = [];
    };
    for await (const { _id } of this.#source.changesSince(second)) {
      this.#loop.signal.throwIfAborted();
      if (ids.push(_id) >= FOLLOW_BATCH) await flush();
    }
    await flush();
    return taken;
  }

  async #catchUp(): Promise<void> {
    while (!(await this.#follow())) this.#loop.signal.throwIfAborted();
  }

  async #look(): Promise<void> {
    if (this.#floodedAt === null && !(await this.#follow()) && (await this.#isFlooded())) {
      this.#floodedAt = performance.now();
    }
    await this.#rebuildIfDue();
    if (this.#floodedAt !== null) return;
    if (this.#isInDoubt && performance.now() - this.#changedAt >= QUIET_MS) {
      this.#isInDoubt = false;
      await this.#compare();
    }
    await this.#walkOn();
  }

  /** Whether more waits than is worth taking in post by post. */
  async #isFlooded(): Promise<boolean> {
    const { posts } = await this.#index.summary();
    const many = Math.max(REBUILT_FROM.posts, posts * REBUILT_FROM.share);
    return (await this.#source.countChanges(Math.floor(this.#position / 1_000), many)) >= many;
  }

  async #rebuildIfDue(): Promise<void> {
    if (this.#rebuilding || !(await this.#isRebuildDue()) || !(await this.#lease.take())) return;
    const renewing = setInterval(() => void this.#lease.take().catch(() => {}), RENEW_MS);
    this.#rebuilding = this.#build()
      .then((position) => {
        if (this.#floodedAt !== null) this.#position = position.at;
        this.#floodedAt = null;
        this.#changedAt = performance.now();
        this.#log.info(position, 'the archive index was built anew');
      })
      .catch((error) => {
        // On a full disk all else goes on, and what waits is taken in post by post.
        this.#floodedAt = null;
        this.#rebuildAt = performance.now() + REBUILD_LOOK_MS;
        if (!this.#loop.signal.aborted) this.#log.error({ err: error }, 'the archive index could not be built anew');
      })
      .finally(async () => {
        clearInterval(renewing);
        this.#rebuilding = null;
        await this.#lease.end();
      });
  }

  async #isRebuildDue(): Promise<boolean> {
    if (this.#floodedAt !== null) {
      if (performance.now() - this.#floodedAt >= LONGEST_FLOOD_MS) return true;
      const newest = await this.#source.newestChange();
      const now = (await this.#clock.measure()).getTime();
      return !newest || now - newest.getHighBits() * 1_000 >= QUIET_MS;
    }
    if (performance.now() < this.#rebuildAt) return false;
    this.#rebuildAt = performance.now() + REBUILD_LOOK_MS;
    const { goneSince } = await this.#index.summary();
    return goneSince !== null && Math.abs(Date.now() - goneSince) >= GONE_AFTER_MS;
  }

  async #walkOn(): Promise<void> {
    const until = performance.now() + WALK_SLICE_MS;
    while (this.#walk.isDue && performance.now() < until && !this.#loop.signal.aborted) await this.#walk.step();
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

  /** Where the counts differ every post is compared. */
  async #compare(): Promise<void> {
    const { posts } = await this.#index.summary();
    const live = await this.#store.countLive();
    if (live === posts) return;
    this.#log.info({ index: posts, database: live }, 'comparing every post of the archive index');
    this.#walk.hurry();
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
}
