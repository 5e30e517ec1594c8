import { setTimeout as delay } from 'node:timers/promises';
import { REMOVED_WORDS_HOURS } from '@archive/contracts';
import { type ArchiveIndex, IndexAwayError, type IndexPosition, toRemoval } from '@archive/search';
import type { ObjectId } from 'mongodb';
import type { Lease } from '../background/lease.ts';
import { Loop } from '../background/loop.ts';
import type { ArchiveState } from '../db/archive-state.ts';
import type { Asker } from '../question-queue.ts';
import { type BuildParts, IndexBuilds, OVERLAP_MS } from './index-builds.ts';
import type { IndexPositions } from './index-positions.ts';
import { IndexWalk } from './index-walk.ts';
import { type IndexSource, toIndexedPost } from './indexed-source.ts';
import type { PostChange } from './post-changes.ts';
import type { PostStore } from './post-store.ts';
import { SharedIndex } from './shared-index.ts';

const POLL_MS = 500;
/** How far changes were followed is written down at least this often. */
const KEEP_POSITION_MS = 10_000;
/** In a flood; a lone change is taken in at once. */
const FOLLOW_BATCH = 10_000;
/** Changes taken in by one look: those of the last moments are remembered, and a flood must not be one moment. */
const LOOK_LIMIT = 100_000;
const FLOOD_POSTS = 500;
/** Fewer than `FLOOD_POSTS` changes in so long: a flood has come to its end. */
const QUIET_MS = 3_000;
/** Of each round, at most so long is spent on comparing. */
const WALK_SLICE_MS = 400;
/** With so many changes waiting, a flood has begun: they are taken in after its end, since it and the searches need the processors. */
const FLOOD_WAITING = 20_000;
/** A flood of at least this share of what the index holds is taken in faster by a new file. */
const BUILD_SHARE = 0.25;
/** A flood is taken in after this long even if it goes on. */
const LONGEST_FLOOD_MS = 600_000;
/** A build starts this long after words were removed. Processes build one after another: the last hours are for the others. */
const GONE_AFTER_MS = (REMOVED_WORDS_HOURS - 4) * 3_600_000;
/** How often removals are looked for in a flood. */
const REMOVALS_MS = 5_000;
/** How often the position is written to the database for other programs. */
const TELL_MS = 2_000;

export interface Progress {
  phase: 'building' | 'catching up' | 'ready';
  done: number;
  total: number;
}

export interface Parts extends BuildParts {
  index: ArchiveIndex<Asker>;
  store: Pick<PostStore, 'countLive' | 'estimateCount' | 'isEmpty'>;
  state: ArchiveState;
  /** Held by the one process that keeps an index that all processes share. */
  keeper: Pick<Lease, 'take' | 'end'>;
  /** Where other programs read the position. */
  positions: Pick<IndexPositions, 'begin' | 'tell' | 'end'>;
  /** How long comparing every post with the index may take. */
  passMs?: number | undefined;
  /** How many changes one look takes in. */
  lookLimit?: number | undefined;
}

/** Keeps the index true to MongoDB: builds it, catches up after a pause, follows what any process writes. */
export class IndexFollower {
  readonly #parts: Parts;
  readonly #builds: IndexBuilds;
  readonly #shared: SharedIndex;
  readonly #walk: IndexWalk;
  /** Changes of the last moments that are taken in already, by post. */
  readonly #recent = new Map<string, bigint>();
  readonly #listeners: ((posts: readonly IndexSource[]) => void)[] = [];
  #epoch: string | undefined;
  readonly #replaced = new AbortController();
  /** Milliseconds since 1970 by the database's clock, and never ahead of it. */
  #position = 0;
  /** By the same clock: all changes before it are in the index. */
  #heldUpTo = 0;
  #telling: NodeJS.Timeout | undefined;
  #told: Promise<void> = Promise.resolve();
  #kept: IndexPosition = { at: 0, beat: 0 };
  /** These by a clock that nobody sets. */
  #changedAt = performance.now();
  #lookedAt = performance.now();
  #building: Promise<void> | null = null;
  /** Position of a file that was just put in place; null once following goes on from there. */
  #builtAt: number | null = null;
  /** When a flood was found, by `performance.now()`; null: changes are taken in post by post. */
  #floodedAt: number | null = null;
  /** A flood is over, and its changes are taken in post by post. */
  #hasEbbed = false;
  /** In a flood: when removals are read next, and up to which time they were. */
  #removals = { dueAt: 0, upTo: 0 };
  #waiting = 0;
  /** After a flood or a failure a change may have become visible later than any look reaches back: the counts will tell. */
  #isInDoubt = false;
  #countAt = 0;
  #progress: Progress = { phase: 'building', done: 0, total: 0 };
  readonly #loop: Loop;

  constructor(parts: Parts) {
    const { index, store, source, passMs } = parts;
    this.#parts = parts;
    this.#shared = new SharedIndex(parts);
    const take = (posts: readonly IndexSource[]) => this.#applyInLook(posts, 'mend');
    this.#walk = new IndexWalk({ index, store, source, take, lookAgain: (ids) => this.#mend(ids) }, passMs);
    this.#loop = new Loop({
      pauseMs: POLL_MS,
      work: () => this.#look().then(() => this.#shared.noteAway(null)),
      onFailure: (error) => {
        this.#isInDoubt = true;
        if (error instanceof IndexAwayError) {
          this.#shared.noteAway(error.message);
          this.#shared.noteFailure(error);
        } else this.#parts.log.error({ err: error }, 'following changes failed; trying again');
      },
    });
    this.#builds = new IndexBuilds(parts, this.#loop.signal);
  }

  get progress(): Progress {
    const { done, total } = this.#builds.underWay;
    return this.#progress.phase === 'building' ? { phase: 'building', done, total } : this.#progress;
  }

  /** Aborted where a restore has put another archive in the place of this one: nothing that is remembered holds. */
  get replaced(): AbortSignal {
    return this.#replaced.signal;
  }

  /** Told of posts that any process has changed, once a listing shows them so. */
  onTaken(listener: (posts: readonly IndexSource[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Changes of a flood, or that a cluster cannot take in, as they were last counted. */
  get waiting(): number {
    return this.#isInFlood || this.#shared.away !== null ? this.#waiting : 0;
  }

  /** Whether a flood waits for its end, or is taken in. */
  get #isInFlood(): boolean {
    return this.#floodedAt !== null || this.#hasEbbed;
  }

  /** Whether lists show all that this process has changed. */
  get isReady(): boolean {
    return this.#progress.phase === 'ready' && this.#shared.isSettled;
  }

  /** Why no new file is built, in words. */
  get noRoom(): string | null {
    return this.#builds.noRoom;
  }

  /** Whether no process can answer lists, since all share an index that cannot be asked or is not built yet. */
  get isAway(): boolean {
    return this.#shared.isAway;
  }

  /** What an operator should know of a cluster's index, in words. */
  get trouble(): string | null {
    const { told, failure } = this.#builds;
    return told ?? this.#shared.troubleAfter(failure) ?? this.#parts.index.trouble;
  }

  /** Milliseconds since when changes by other processes may not be shown yet. */
  get behindMs(): number {
    return performance.now() - this.#lookedAt;
  }

  /** Posts that the walk found different from what the index held. */
  get mended(): number {
    return this.#walk.mended;
  }

  /**
   * Resolves when the index holds all that MongoDB held; then goes on following until stopped.
   * @throws Error where it was started before.
   */
  async start(): Promise<void> {
    if (this.#telling) throw new Error('started before');
    await this.#parts.positions.begin();
    this.#telling = setInterval(() => {
      this.#told = this.#parts.positions.tell(this.#heldUpTo);
    }, TELL_MS).unref();
    // A cluster may be away: what cannot be answered yet is answered once it is there.
    if (!this.#parts.index.isShared) await this.#begin();
    this.#loop.start();
  }

  async #begin(): Promise<void> {
    const summary = await this.#parts.index.summary();
    const { posts } = summary;
    if (await this.#shared.lookWhetherMissing(summary)) {
      // One process builds for all.
      if (!this.#builds.isAllowed || !(await this.#shared.keeps())) return;
      await this.#builds.tryHolding(() => this.#tryBuild());
      return;
    }
    const position = summary.position ?? (posts === 0 ? await this.#positionOfEmpty() : null);
    // From here on changes are taken in at once, and the file must be whole by then.
    this.#progress = { phase: 'catching up', done: posts, total: posts };
    if (position === null) {
      await this.#build();
    } else {
      this.#position = position.at;
      this.#heldUpTo = position.at - OVERLAP_MS;
      this.#kept = position;
      await this.#mark();
    }
    while (!(await this.#follow())) {
      this.#loop.signal.throwIfAborted();
      // Nothing is answered meanwhile, so that no other process is waited for.
      if (await this.#isBuildBetter()) await this.#tryBuild();
    }
    this.#progress = { ...this.#progress, phase: 'ready' };
    this.#isInDoubt = true;
  }

  /** A new file holds all of an archive without posts, and is told so; null where there are posts. */
  async #positionOfEmpty(): Promise<IndexPosition | null> {
    const at = (await this.#parts.clock.measure()).getTime();
    if (!(await this.#parts.store.isEmpty())) return null;
    const position = { at, beat: await this.#mark() };
    await this.#parts.index.apply([], position);
    return position;
  }

  /**
   * Takes in what this process has just changed, without waiting for the next look. While the index is built nothing is
   * taken in: the builder may be about to read the same post, and what it misses is followed after.
   */
  async take({ kind, ids, posts }: PostChange): Promise<void> {
    // The index holds no alias; reactions, which come in crowds, are taken in together by the next look.
    if (kind === 'alias' || kind === 'reactions' || this.#progress.phase === 'building') return;
    // What has just come has no reactions yet; of others they are counted.
    const taking = async () => this.#apply(kind === 'added' && posts ? posts : await this.#parts.source.find(ids));
    try {
      await this.#shared.inTime(taking(), ids.length);
    } catch (error) {
      // The change is made and will be followed; that it is not shown yet is no failure of it.
      this.#isInDoubt = true;
      this.#shared.noteFailure(error);
      this.#parts.log.error({ err: error }, 'a change could not be taken into the archive index yet');
    }
  }

  /** Builds the index again, once no other process does. `onProgress` is told the share that is done, and how far that is in words. */
  async buildNow(onProgress: (share: number, told: string) => void): Promise<void> {
    const telling = setInterval(() => {
      const { done, total } = this.#builds.underWay;
      const { told } = this.#builds;
      if (told) onProgress(Math.min(1, done / total), told);
    }, POLL_MS);
    try {
      while (!(await this.#builds.tryHolding(() => this.#build()))) await delay(POLL_MS);
    } finally {
      clearInterval(telling);
    }
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#building;
    clearInterval(this.#telling);
    await this.#told;
    await this.#parts.positions.end();
    await this.#shared.end();
  }

  async #build(): Promise<void> {
    const beat = await this.#mark();
    const isStart = this.#progress.phase !== 'ready';
    if (isStart) this.#progress = { phase: 'building', done: 0, total: 0 };
    const position = await this.#builds.build(beat);
    this.#builtAt = position.at;
    this.#kept = position;
    this.#floodedAt = null;
    this.#shared.mustBuild = false;
    this.#isInDoubt = true;
    if (!isStart) return;
    const { posts } = await this.#parts.index.summary();
    this.#progress = { phase: 'catching up', done: posts, total: posts };
  }

  /** Where it fails, changes are taken in post by post until the next attempt. */
  async #tryBuild(): Promise<void> {
    const { phase } = this.#progress;
    await this.#build().catch((error) => {
      this.#floodedAt = null;
      this.#progress = { ...this.#progress, phase };
      this.#builds.giveUp(error);
    });
  }

  async #look(): Promise<void> {
    if (this.#progress.phase !== 'ready') return this.#begin();
    // An index that is gone takes in nothing until it is built.
    const isGone = (error: unknown) => error instanceof IndexAwayError && error.reason === 'building';
    const failure = await this.#takeChanges().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failure && performance.now() >= this.#countAt) {
      this.#countAt = performance.now() + REMOVALS_MS;
      this.#waiting = await this.#countWaiting();
    }
    if (failure && !isGone(failure.error)) throw failure.error;
    if (!this.#building && (await this.#isBuildDue())) this.#beginBuild();
    if (failure) throw failure.error;
    if (this.#floodedAt !== null || !(await this.#shared.keeps())) return;
    if (!this.#building) await this.#shared.tidy(this.#builds);
    if (this.#isInDoubt && performance.now() - this.#changedAt >= QUIET_MS) {
      this.#isInDoubt = false;
      await this.#compare();
    }
    await this.#walkOn();
  }

  async #takeChanges(): Promise<void> {
    if (this.#isInFlood) await this.#takeRemovals();
    if (this.#floodedAt === null) await this.#follow();
    else this.#shared.cover(performance.now());
  }

  /** Removals do not wait for what came before them. */
  async #takeRemovals(): Promise<void> {
    if (performance.now() < this.#removals.dueAt) return;
    const upTo = (await this.#parts.clock.measure()).getTime();
    const since = Math.max(this.#position, this.#removals.upTo) - OVERLAP_MS;
    await this.#applyInLook(await this.#parts.source.removedSince(Math.floor(since / 1_000)));
    this.#waiting = await this.#countWaiting();
    this.#removals = { dueAt: performance.now() + REMOVALS_MS, upTo };
  }

  #countWaiting(): Promise<number> {
    return this.#parts.source.countChanges(Math.floor(this.#heldUpTo / 1_000), Number.MAX_SAFE_INTEGER);
  }

  async #isBuildDue(): Promise<boolean> {
    if (!this.#builds.isAllowed) return false;
    if (this.#floodedAt === null) {
      if (!(await this.#shared.keeps())) return false;
      const { goneSince, position } = await this.#parts.index.summary();
      // A cluster's may be deleted at any time.
      return (
        this.#shared.mustBuild ||
        position === null ||
        (goneSince !== null && Math.abs(Date.now() - goneSince) >= GONE_AFTER_MS)
      );
    }
    if (performance.now() - this.#floodedAt >= LONGEST_FLOOD_MS) return this.#isBuildBetter();
    // A few changes come at any time: the flood has ended once there are no more than these.
    const lately = Math.floor(((await this.#parts.clock.measure()).getTime() - QUIET_MS) / 1_000);
    return (await this.#parts.source.countChanges(lately, FLOOD_POSTS)) < FLOOD_POSTS && this.#isBuildBetter();
  }

  /** Decides how a flood is taken in: all at once by a new file, or post by post from now on. */
  async #isBuildBetter(): Promise<boolean> {
    if (this.#floodedAt === null) return false;
    const { posts } = await this.#parts.index.summary();
    if ((await this.#countWaiting()) >= posts * BUILD_SHARE) return true;
    this.#floodedAt = null;
    this.#hasEbbed = true;
    return false;
  }

  #beginBuild(): void {
    this.#building = this.#builds
      .tryHolding(() => this.#tryBuild())
      .then(
        () => {},
        (error) => this.#parts.log.error({ err: error }, 'the lease of a build could not be taken; trying again'),
      )
      .finally(() => {
        this.#building = null;
      });
  }

  async #isFlooded(second: number): Promise<boolean> {
    // A cluster takes in each change as fast as it is built.
    if (this.#parts.index.isShared || !this.#builds.isAllowed) return false;
    // Of a flood that goes on after it was to be taken in, the rest may be worth a new file by now.
    const { posts } = this.#hasEbbed ? await this.#parts.index.summary() : { posts: 0 };
    const many = Math.max(FLOOD_WAITING, posts * BUILD_SHARE);
    return (await this.#parts.source.countChanges(second, many)) >= many;
  }

  async #walkOn(): Promise<void> {
    const until = performance.now() + WALK_SLICE_MS;
    while (this.#walk.isDue && performance.now() < until && !this.#loop.signal.aborted) await this.#walk.step();
  }

  /** Takes in what has changed since the last look; answers whether that was all. Of a flood it takes in nothing. */
  async #follow(): Promise<boolean> {
    const beganAt = performance.now();
    let coveredAt = beganAt;
    const { owed } = this.#shared;
    const builtAt = this.#builtAt;
    if (builtAt !== null) {
      // A post may have been read before its change, and reached the new file after it: the last changes are taken in again.
      this.#position = builtAt;
      this.#heldUpTo = builtAt;
      this.#builtAt = null;
      this.#recent.clear();
    }
    const lookedAt = (await this.#parts.clock.measure()).getTime();
    // Where the clock was set back, or a stamp lies ahead of it, what follows will be stamped before it.
    this.#position = Math.min(this.#position, lookedAt);
    this.#heldUpTo = Math.min(this.#heldUpTo, lookedAt);
    const since = this.#forgetSettled();
    const { lookLimit = LOOK_LIMIT } = this.#parts;
    let ids: ObjectId[] = [];
    let taken = 0;
    let reached = this.#position;
    let stampedAt = lookedAt;
    let writing: Promise<unknown> = Promise.resolve();
    const flush = async () => {
      const [upTo, heldUpTo] = [reached, stampedAt];
      const posts = ids.length > 0 ? await this.#parts.source.find(ids) : [];
      if (posts.length >= FLOOD_POSTS) this.#isInDoubt = true;
      taken += ids.length;
      ids = [];
      // One batch is written while the next is read.
      await writing;
      writing = this.#applyInLook(posts).then(() => {
        this.#position = Math.max(this.#position, upTo);
        this.#heldUpTo = Math.max(this.#heldUpTo, heldUpTo);
        this.#forgetSettled();
        // A look that takes in a flood is long, and not late as long as its parts are not.
        if (posts.length >= FLOOD_POSTS) coveredAt = performance.now();
        this.#shared.cover(coveredAt);
      });
      // A failure surfaces at the next await; until then it must not count as unhandled.
      writing.catch(() => {});
    };
    for await (const change of this.#parts.source.changesSince(since)) {
      this.#loop.signal.throwIfAborted();
      stampedAt = change.changedAt.getHighBits() * 1_000;
      // What is older than the overlap was visible at this look and is settled when it is taken in.
      reached = Math.max(reached, Math.min(lookedAt, stampedAt + OVERLAP_MS));
      if (this.#recent.get(change._id.toHexString()) !== change.changedAt.toBigInt()) ids.push(change._id);
      if (ids.length < Math.min(FOLLOW_BATCH, lookLimit)) continue;
      // Right after a build no flood is looked for: the new file holds the last one.
      if (builtAt === null && (await this.#isFlooded(stampedAt / 1_000))) {
        this.#floodedAt = beganAt;
        break;
      }
      await flush();
      if (taken >= lookLimit) break;
    }
    // In a flood the last ids that were read are left, and the position stays before them.
    if (this.#floodedAt === null) await flush();
    await writing;
    const isAll = this.#floodedAt === null && taken < lookLimit;
    // Everything up to this look is taken in; what was on its way then lies within the overlap of the next one.
    if (isAll) [this.#position, this.#heldUpTo] = [Math.max(this.#position, lookedAt), lookedAt];
    if (isAll) {
      this.#hasEbbed = false;
      this.#shared.settle(owed);
    }
    this.#lookedAt = beganAt - Math.max(0, lookedAt - this.#heldUpTo);
    this.#shared.cover(coveredAt);
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
    await this.#parts.index.apply([], this.#kept);
  }

  /** Marks the database; one that bears fewer marks than it once did is an older copy, and nothing is as it was followed. */
  async #mark(): Promise<number> {
    const { beat, epoch } = await this.#parts.state.mark();
    this.#epoch ??= epoch;
    if (epoch !== this.#epoch) this.#replaced.abort(new Error('another archive has taken the place of the database'));
    if (beat <= this.#kept.beat) {
      this.#parts.log.error(
        { beat, before: this.#kept.beat },
        'the database is an older copy of itself; comparing every post',
      );
      // Documents of a shared index bear later changes than the posts do now: none would be taken in.
      if (this.#parts.index.isShared) this.#shared.mustBuild = true;
      else this.#walk.hurry();
    }
    return beat;
  }

  #applyInLook(posts: readonly IndexSource[], how?: 'news' | 'mend'): Promise<number> {
    this.#shared.expectLook(posts.length);
    return this.#apply(posts, how);
  }

  async #apply(posts: readonly IndexSource[], how: 'news' | 'mend' = 'news'): Promise<number> {
    if (posts.length === 0) return 0;
    const indexed = posts.map(toIndexedPost);
    const changed = await (how === 'mend' ? this.#parts.index.mend(indexed) : this.#parts.index.apply(indexed, null));
    if (changed > 0) this.#changedAt = performance.now();
    if (changed > 0) for (const listener of this.#listeners) listener(posts);
    for (const { _id, changedAt } of posts) if (changedAt) this.#recent.set(_id.toHexString(), changedAt.toBigInt());
    return changed;
  }

  /** Where the counts differ every post is compared. */
  async #compare(): Promise<void> {
    const { posts } = await this.#parts.index.summary();
    const live = await this.#parts.store.countLive();
    if (live === posts) return;
    this.#parts.log.info({ index: posts, database: live }, 'comparing every post of the archive index');
    this.#walk.hurry();
  }

  /** Takes posts in as MongoDB has them now: during the walk some came and some went. */
  async #mend(ids: ObjectId[]): Promise<void> {
    for (let at = 0; at < ids.length; at += FOLLOW_BATCH) {
      const batch = ids.slice(at, at + FOLLOW_BATCH);
      const held = await this.#parts.source.find(batch);
      const there = new Set(held.map((post) => post._id.toHexString()));
      await this.#applyInLook(held, 'mend');
      const gone = batch.filter((id) => !there.has(id.toHexString()));
      if (gone.length === 0) continue;
      this.#shared.expectLook(gone.length);
      await this.#parts.index.mend(gone.map(({ id }) => toRemoval(id)));
    }
  }
}
