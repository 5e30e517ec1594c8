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
/** The position is written to the index if it has moved by more than this. */
const KEEP_POSITION_MS = 10_000;
/** Changes read and written in one batch. Fewer changes are applied at once. */
const FOLLOW_BATCH = 10_000;
/**
 * Most changes of one look. The follower remembers recent changes in memory, so one look must not cover a whole flood.
 */
const LOOK_LIMIT = 100_000;
const FLOOD_POSTS = 500;
/** A flood has ended if fewer than `FLOOD_POSTS` changes were made in this time. */
const QUIET_MS = 3_000;
/** Longest time of one round that goes to the walk. */
const WALK_SLICE_MS = 400;
/**
 * This many waiting changes are a flood. The follower applies them after its end, because the flood and the searches
 * need the processors.
 */
const FLOOD_WAITING = 20_000;
/**
 * If a flood has at least this share of the posts in the index, building a new file is faster than applying the
 * changes.
 */
const BUILD_SHARE = 0.25;
/** The follower applies a flood after this time even if it still goes on. */
const LONGEST_FLOOD_MS = 600_000;
/**
 * A build that removes deleted words from the file starts this long after the first removal. The processes build one
 * after another; the last hours are left for the other processes.
 */
const GONE_AFTER_MS = (REMOVED_WORDS_HOURS - 4) * 3_600_000;
/** An index that was whole is built again if it has not been whole for this time. */
const MISSING_MS = 3_000;
/** How often the follower applies removals during a flood. */
const REMOVALS_MS = 5_000;
/** Pause before the next build while another process builds. */
const LEASE_AGAIN_MS = 3_000;
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
  /** The lease of the one process that maintains the shared index. */
  keeper: Pick<Lease, 'take' | 'end'>;
  /** The positions of all processes, for other programs. */
  positions: Pick<IndexPositions, 'begin' | 'tell' | 'end'>;
  /** Duration of one pass that compares every post with the index. */
  passMs?: number | undefined;
  /** Most changes of one look. */
  lookLimit?: number | undefined;
}

function isGone(error: unknown): boolean {
  return error instanceof IndexAwayError && error.reason === 'building';
}

/** Keeps the index equal to MongoDB: builds it, catches up after downtime, and follows the changes of all processes. */
export class IndexFollower {
  readonly #parts: Parts;
  readonly #builds: IndexBuilds;
  readonly #shared: SharedIndex;
  readonly #walk: IndexWalk;
  /** Recent changes that are already applied: post id to stamp. */
  readonly #recent = new Map<string, bigint>();
  readonly #listeners: ((posts: readonly IndexSource[]) => void)[] = [];
  #epoch: string | undefined;
  readonly #replaced = new AbortController();
  /**
   * Milliseconds since 1970 by the database's clock, never ahead of that clock. The next look reads from here, less the
   * overlap.
   */
  #position = 0;
  /** Milliseconds since 1970 by the database's clock: the index holds all changes stamped before this. */
  #heldUpTo = 0;
  #telling: NodeJS.Timeout | undefined;
  /** The position that is being written. */
  #told: Promise<void> | null = null;
  #kept: IndexPosition = { at: 0, beat: 0 };
  /** By `performance.now()`, since the system clock may be set. */
  #changedAt = performance.now();
  #lookedAt = performance.now();
  /** Since when looks have found no whole index, by `performance.now()`; null if the last one found it, or could not tell. */
  #missingAt: number | null = null;
  /** Failures that were not repaired when the current look began. */
  #owedAtLook = 0;
  #building: Promise<void> | null = null;
  /** When the lease of a build is asked for again, by `performance.now()`. */
  #leaseAt = 0;
  /** Position of a file that was just put into use; null once the follower has continued from it. */
  #builtAt: number | null = null;
  /** When a flood was detected, by `performance.now()`; null while the follower applies changes post by post. */
  #floodedAt: number | null = null;
  /** A flood has ended, and the follower applies its changes post by post. */
  #hasEbbed = false;
  /** During a flood: when removals are read next, and up to which time they have been read. */
  #removals = { dueAt: 0, upTo: 0 };
  #waiting = 0;
  /**
   * After a flood or a failure, a change may have become visible later than the overlap covers. The follower then
   * compares the numbers of posts.
   */
  #isInDoubt = false;
  #countAt = 0;
  #progress: Progress = { phase: 'building', done: 0, total: 0 };
  readonly #loop: Loop;

  constructor(parts: Parts) {
    const { index, store, source, passMs } = parts;
    this.#parts = parts;
    this.#shared = new SharedIndex(parts);
    const take = (posts: readonly IndexSource[]) => this.#apply(posts, 'mend');
    this.#walk = new IndexWalk({ index, store, source, take, lookAgain: (ids) => this.#mend(ids) }, passMs);
    this.#loop = new Loop({
      pauseMs: POLL_MS,
      work: () => {
        this.#owedAtLook = this.#shared.owed;
        return this.#look().then(() => this.#shared.noteAway(null));
      },
      onFailure: (error) => {
        this.#isInDoubt = true;
        if (!isGone(error)) this.#missingAt = null;
        this.#shared.failLook(error, this.#owedAtLook);
        if (error instanceof IndexAwayError) return;
        this.#parts.log.error({ err: error }, 'following changes failed; trying again');
      },
    });
    this.#builds = new IndexBuilds(parts, this.#loop.signal);
  }

  get progress(): Progress {
    const { done, total } = this.#builds.underWay;
    return this.#progress.phase === 'building' ? { phase: 'building', done, total } : this.#progress;
  }

  /**
   * Aborted when a restore has replaced the archive. Everything that the process remembers of the old archive is then
   * invalid.
   */
  get replaced(): AbortSignal {
    return this.#replaced.signal;
  }

  /** The listener receives posts that any process has changed, once lists show the change. */
  onTaken(listener: (posts: readonly IndexSource[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Waiting changes of a flood, or of a cluster that is unavailable, as last counted. */
  get waiting(): number {
    return this.#isInFlood || this.#shared.away !== null ? this.#waiting : 0;
  }

  /** Whether a flood goes on, or its changes are being applied. */
  get #isInFlood(): boolean {
    return this.#floodedAt !== null || this.#hasEbbed;
  }

  /** Whether lists show all changes of this process. */
  get isReady(): boolean {
    return this.#progress.phase === 'ready' && this.#shared.isSettled;
  }

  /** Message that tells why there is no room for a new file, or null. */
  get noRoom(): string | null {
    return this.#builds.noRoom;
  }

  /** Whether no process can answer lists, because the shared index is unavailable or not built yet. */
  get isAway(): boolean {
    return this.#shared.isAway;
  }

  /** The refusal of lists; null if they can be answered. */
  get refusal(): IndexAwayError | null {
    if (this.isReady) return null;
    return this.#shared.cause ?? new IndexAwayError('building', 'the index lacks posts');
  }

  /** Trouble of the index, as a message for the operator, or null. */
  get trouble(): string | null {
    const { told, failure } = this.#builds;
    return told ?? this.#shared.troubleAfter(failure) ?? this.#parts.index.trouble;
  }

  /** Milliseconds by which lists may lag behind the changes of other processes. */
  get behindMs(): number {
    return performance.now() - this.#lookedAt;
  }

  /** Posts that the walk has corrected in the index. */
  get mended(): number {
    return this.#walk.mended;
  }

  /**
   * Resolves when the index holds all that MongoDB held at the call, and then follows changes until `stop`. For a
   * shared index it resolves at once, and the loop catches up.
   * @throws Error where it was started before.
   */
  async start(): Promise<void> {
    if (this.#telling) throw new Error('started before');
    await this.#parts.positions.begin();
    this.#telling = setInterval(() => {
      // One at a time, so that `stop` can wait for it.
      this.#told ??= this.#parts.positions.tell(this.#heldUpTo).finally(() => {
        this.#told = null;
      });
    }, TELL_MS).unref();
    // A cluster may be unavailable at the start. The loop then tries again until it answers.
    if (!this.#parts.index.isShared) await this.#begin();
    this.#loop.start();
  }

  async #begin(): Promise<void> {
    const summary = await this.#parts.index.summary();
    const { posts } = summary;
    if (await this.#shared.lookWhetherMissing(summary)) {
      // One process builds the shared index for all.
      if (!this.#builds.isAllowed || !(await this.#shared.keeps())) return;
      await this.#builds.tryHolding(() => this.#tryBuild());
      return;
    }
    const position = summary.position ?? (posts === 0 ? await this.#positionOfEmpty() : null);
    // From here on `take` applies changes at once, so the file must be complete first.
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
      // The follower waits for this build, because the process answers no requests before the index is ready.
      if (await this.#isBuildBetter()) await this.#tryBuild();
    }
    this.#progress = { ...this.#progress, phase: 'ready' };
    this.#isInDoubt = true;
  }

  /** If the archive has no posts, a new file is complete and gets a position. Null if there are posts. */
  async #positionOfEmpty(): Promise<IndexPosition | null> {
    const at = (await this.#parts.clock.measure()).getTime();
    if (!(await this.#parts.store.isEmpty())) return null;
    const position = { at, beat: await this.#mark() };
    await this.#parts.index.apply([], position);
    return position;
  }

  /**
   * Applies a change of this process without waiting for the next look. During the first build of a file it applies
   * nothing: the build may be about to read the same post, and the follower applies afterwards what the build has missed.
   */
  async take({ kind, ids, posts }: PostChange): Promise<void> {
    // Other processes may answer lists from a shared index before this one has seen it.
    const isLeft = this.#progress.phase === 'building' && !(this.#parts.index.isShared && this.#telling);
    // The index holds no aliases. Reactions come in large numbers, so the next look applies them together.
    if (kind === 'alias' || kind === 'reactions' || isLeft) return;
    // A new post has no reactions yet. For other changes the source counts them.
    const taking = async () => this.#apply(kind === 'added' && posts ? posts : await this.#parts.source.find(ids));
    try {
      await this.#shared.inTime(taking, ids.length);
    } catch (error) {
      // The change is in the database, and a later look applies it. So the write itself does not fail.
      this.#isInDoubt = true;
      this.#shared.noteFailure(error);
      if (!isGone(error))
        this.#parts.log.error({ err: error }, 'a change could not be taken into the archive index yet');
    }
  }

  /**
   * Builds the index again, as soon as no other process builds. `onProgress` receives the share that is done and the
   * progress as a message.
   */
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

  /** If the build fails, the follower applies changes post by post until the next attempt. */
  async #tryBuild(): Promise<void> {
    const { phase } = this.#progress;
    const beganAt = this.#heldUpTo;
    await this.#build().catch((error) => {
      this.#floodedAt = null;
      // The new file may be in use all the same. Then it lacks what changed while it was read.
      if (beganAt > 0) this.#builtAt = beganAt;
      this.#progress = { ...this.#progress, phase };
      this.#builds.giveUp(error);
    });
  }

  async #look(): Promise<void> {
    if (this.#progress.phase !== 'ready') return this.#begin();
    // A missing index takes no changes until it is built.
    const failure = await this.#takeChanges().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failure && performance.now() >= this.#countAt) {
      this.#countAt = performance.now() + REMOVALS_MS;
      this.#waiting = await this.#countWaiting();
    }
    if (failure && !isGone(failure.error)) throw failure.error;
    const why = this.#building ? null : await this.#whyBuild();
    if (why !== null) this.#beginBuild(why);
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

  /** Applies removals before the other changes of a flood. */
  async #takeRemovals(): Promise<void> {
    if (performance.now() < this.#removals.dueAt) return;
    const upTo = (await this.#parts.clock.measure()).getTime();
    const since = Math.max(this.#position, this.#removals.upTo) - OVERLAP_MS;
    await this.#applyInLook(await this.#parts.source.removedSince(Math.floor(since / 1_000)));
    this.#waiting = await this.#countWaiting();
    this.#removals = { dueAt: performance.now() + REMOVALS_MS, upTo };
  }

  #countWaiting(most = Number.MAX_SAFE_INTEGER): Promise<number> {
    return this.#parts.source.countChanges(Math.floor(this.#heldUpTo / 1_000), most);
  }

  /** Why the index must be built again, as text for the log; null if it need not be. */
  async #whyBuild(): Promise<string | null> {
    if (!this.#builds.isAllowed || performance.now() < this.#leaseAt) return null;
    if (this.#floodedAt !== null) return (await this.#isFloodBuildDue()) ? 'many changes wait' : null;
    if (!(await this.#shared.keeps())) return null;
    const { goneSince, position } = await this.#parts.index.summary();
    if (this.#shared.mustBuild) return 'the database is an older copy of itself';
    // The index of a cluster may be deleted at any time. A restart, or removals of another process, make a count low for
    // a moment.
    this.#missingAt = position === null ? (this.#missingAt ?? performance.now()) : null;
    if (this.#missingAt !== null) {
      return performance.now() - this.#missingAt >= MISSING_MS ? 'there is no whole index' : null;
    }
    const isOld = goneSince !== null && Math.abs(Date.now() - goneSince) >= GONE_AFTER_MS;
    return isOld ? 'its files hold removed words' : null;
  }

  async #isFloodBuildDue(): Promise<boolean> {
    if (this.#floodedAt !== null && performance.now() - this.#floodedAt >= LONGEST_FLOOD_MS) {
      return this.#isBuildBetter();
    }
    // Some changes come at any time. The flood has ended once there are no more than these.
    const lately = Math.floor(((await this.#parts.clock.measure()).getTime() - QUIET_MS) / 1_000);
    return (await this.#parts.source.countChanges(lately, FLOOD_POSTS)) < FLOOD_POSTS && this.#isBuildBetter();
  }

  /** Decides how the changes of a flood are applied: by building a new file, or post by post from now on. */
  async #isBuildBetter(): Promise<boolean> {
    if (this.#floodedAt === null) return false;
    const { posts } = await this.#parts.index.summary();
    const many = Math.max(1, posts * BUILD_SHARE);
    if ((await this.#countWaiting(many)) >= many) return true;
    this.#floodedAt = null;
    this.#hasEbbed = true;
    return false;
  }

  #beginBuild(why: string): void {
    this.#building = this.#builds
      .tryHolding(() => {
        this.#parts.log.info({ why }, 'building the archive index again');
        return this.#tryBuild();
      })
      .then(
        (isHeld) => {
          if (!isHeld) this.#leaseAt = performance.now() + LEASE_AGAIN_MS;
        },
        (error) => this.#parts.log.error({ err: error }, 'the lease of a build could not be taken; trying again'),
      )
      .finally(() => {
        this.#building = null;
      });
  }

  async #isFlooded(second: number): Promise<boolean> {
    // In a cluster, applying changes is as fast as a build.
    if (this.#parts.index.isShared || !this.#builds.isAllowed) return false;
    // If a flood goes on while its changes are applied, the rest may still justify a new file.
    const { posts } = this.#hasEbbed ? await this.#parts.index.summary() : { posts: 0 };
    const many = Math.max(FLOOD_WAITING, posts * BUILD_SHARE);
    return (await this.#parts.source.countChanges(second, many)) >= many;
  }

  async #walkOn(): Promise<void> {
    const until = performance.now() + WALK_SLICE_MS;
    while (this.#walk.isDue && performance.now() < until && !this.#loop.signal.aborted) await this.#walk.step();
  }

  /** Applies the changes since the last look. Returns whether it has applied all. During a flood it applies none. */
  async #follow(): Promise<boolean> {
    const beganAt = performance.now();
    let coveredAt = beganAt;
    const { owed } = this.#shared;
    const builtAt = this.#builtAt;
    if (builtAt !== null) {
      // The build may read a post before a change and write it after the change. So the follower applies the last
      // changes again.
      this.#position = builtAt;
      this.#heldUpTo = builtAt;
      this.#builtAt = null;
      this.#recent.clear();
    }
    const lookedAt = (await this.#parts.clock.measure()).getTime();
    // If the clock was set back, or a stamp is ahead of it, later changes get stamps before the position.
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
        // A look during a flood is long. It is late only if one of its batches is late.
        if (posts.length >= FLOOD_POSTS) coveredAt = performance.now();
        this.#shared.cover(coveredAt);
      });
      // A rejection surfaces at the next `await`; until then it must not count as unhandled.
      writing.catch(() => {});
    };
    for await (const change of this.#parts.source.changesSince(since)) {
      this.#loop.signal.throwIfAborted();
      stampedAt = change.changedAt.getHighBits() * 1_000;
      // Changes older than the overlap were visible at this look, so they are complete once they are applied.
      reached = Math.max(reached, Math.min(lookedAt, stampedAt + OVERLAP_MS));
      if (this.#recent.get(change._id.toHexString()) !== change.changedAt.toBigInt()) ids.push(change._id);
      if (ids.length < Math.min(FOLLOW_BATCH, lookLimit)) continue;
      // No flood is detected right after a build, because the new file already holds the last one.
      if (builtAt === null && (await this.#isFlooded(stampedAt / 1_000))) {
        this.#floodedAt = beganAt;
        break;
      }
      await flush();
      if (taken >= lookLimit) break;
    }
    // In a flood, the ids read last are dropped, and the position stays before them.
    if (this.#floodedAt === null) await flush();
    await writing;
    const isAll = this.#floodedAt === null && taken < lookLimit;
    // All changes up to this look are applied. A change that was not visible yet lies within the overlap of the next
    // look.
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

  /** Forgets changes that no look reads again. Returns the second from which the next look reads. */
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

  /**
   * Increments the mark in the database. If the mark is not greater than the last one, the database is an older copy,
   * and the index may be ahead of it.
   */
  async #mark(): Promise<number> {
    const { beat, epoch } = await this.#parts.state.mark();
    this.#epoch ??= epoch;
    if (epoch !== this.#epoch) this.#replaced.abort(new Error('another archive has taken the place of the database'));
    if (beat <= this.#kept.beat) {
      this.#parts.log.error(
        { beat, before: this.#kept.beat },
        'the database is an older copy of itself; comparing every post',
      );
      // The documents of a shared index have later change stamps than the posts now. They would refuse every update.
      if (this.#parts.index.isShared) this.#shared.mustBuild = true;
      else this.#walk.hurry();
    }
    return beat;
  }

  #applyInLook(posts: readonly IndexSource[]): Promise<number> {
    this.#shared.expectLook(posts.length);
    return this.#apply(posts);
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

  /** If the index and the database hold different numbers of posts, the walk compares every post. */
  async #compare(): Promise<void> {
    const { posts } = await this.#parts.index.summary();
    const live = await this.#parts.store.countLive();
    if (live === posts) return;
    this.#parts.log.info({ index: posts, database: live }, 'comparing every post of the archive index');
    this.#walk.hurry();
  }

  /** Applies these posts as MongoDB has them now, since some were added or removed during the walk. */
  async #mend(ids: ObjectId[]): Promise<void> {
    if (ids.length === 0) return;
    const held = await this.#parts.source.find(ids);
    const there = new Set(held.map((post) => post._id.toHexString()));
    await this.#apply(held, 'mend');
    const gone = ids.filter((id) => !there.has(id.toHexString()));
    if (gone.length > 0) await this.#parts.index.mend(gone.map(({ id }) => toRemoval(id)));
  }
}
