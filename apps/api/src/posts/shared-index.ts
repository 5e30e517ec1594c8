import { setTimeout as delay } from 'node:timers/promises';
import { type ArchiveIndex, IndexAwayError, type Summary } from '@archive/search';
import type { Lease } from '../background/lease.ts';
import type { Asker } from '../question-queue.ts';
import { withTimeout } from '../with-timeout.ts';
import { type IndexBuilds, type Logger, OVERLAP_MS } from './index-builds.ts';
import type { PostStore } from './post-store.ts';
import type { PostsForIndex } from './posts-for-index.ts';

/**
 * Milliseconds that a write waits for the index, and the extra time for each post. After that the write is answered,
 * and lists are unavailable until the index has the change.
 */
const TAKE_MS = 15_000;
const TAKE_POST_MS = 100;
/**
 * Lists are unavailable if no look has ended for this time, plus `TAKE_POST_MS` for each post. Another process may have
 * answered a write that the index has not taken.
 */
const LOOK_MS = 14_000;
/** The same, after the cluster has been away for `TAKE_MS`. */
const LONG_AWAY_MS = 1_000;
/** Pause before a failed change is applied again. */
const AGAIN_MS = 300;
/** How often a process renews its lease on the shared index, or asks for it. */
const RENEW_MS = 5_000;
/** How often the keeper of a shared index deletes the remains of killed builds. */
const TIDY_MS = 60_000;
/** An index with less than this share of the posts has lost a part, unless waiting changes explain the difference. */
const CUT_SHARE = 0.995;
/** A smaller difference does not count. */
const CUT_POSTS = 500;
const CUT_AGAIN_MS = 3_000;

interface Parts {
  index: Pick<ArchiveIndex<Asker>, 'isShared' | 'summary' | 'tidy'>;
  store: Pick<PostStore, 'countLive'>;
  source: Pick<PostsForIndex, 'countChanges'>;
  /** The lease of the one process that maintains the shared index. */
  keeper: Pick<Lease, 'take' | 'end'>;
  log: Logger;
}

/**
 * What a process knows of the shared index, and its part in maintaining it. A process with its own index always
 * maintains that; nothing else here applies to it.
 */
export class SharedIndex {
  readonly #parts: Parts;
  #keeping = { isOurs: false, until: 0 };
  /** Why the index cannot be maintained; null if it can. */
  away: IndexAwayError | null = null;
  /** Since when, by `performance.now()`; null if it can be maintained. */
  #awayAt: number | null = null;
  /** The index does not exist yet, or lacks a part. */
  #isMissing = false;
  /**
   * Number of failures to apply changes, and how many of them later looks have repaired. Lists lack posts while the two
   * differ.
   */
  owed = 0;
  #settled = 0;
  /** The last of these failures. */
  #failure: IndexAwayError | null = null;
  #tidyAt = 0;
  /** By `performance.now()`: all earlier changes are applied. Null before the first look has ended. */
  #coveredAt: number | null = null;
  #late: NodeJS.Timeout | undefined;
  /** The index must be built again, although one exists. */
  mustBuild = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether no process can answer lists. */
  get isAway(): boolean {
    return this.away !== null || this.#isMissing;
  }

  /** Why lists lack changes while they do; null if that is not known. */
  get cause(): IndexAwayError | null {
    return this.away ?? this.#failure;
  }

  /** Whether the index has all changes that failed before. */
  get isSettled(): boolean {
    return this.#settled === this.owed;
  }

  /** Message that tells why the index cannot be asked, or null. `failure` is the error of the last build. */
  troubleAfter(failure: string | null): string | null {
    if (this.away !== null || !this.#isMissing) return this.away?.message ?? null;
    const attempt = failure ? `; its last attempt failed: ${failure}` : '';
    return `the search cluster holds no whole index of this archive: one process builds it${attempt}`;
  }

  /** Whether this process is the keeper of the index; one process at a time is. */
  async keeps(): Promise<boolean> {
    if (!this.#parts.index.isShared) return true;
    if (performance.now() < this.#keeping.until) return this.#keeping.isOurs;
    this.#keeping = { isOurs: await this.#parts.keeper.take(), until: performance.now() + RENEW_MS };
    return this.#keeping.isOurs;
  }

  /** Gives up the lease, so that another process can become the keeper. */
  async end(): Promise<void> {
    clearTimeout(this.#late);
    if (this.#keeping.isOurs) await this.#parts.keeper.end();
  }

  /** Checks whether the index is missing, or holds fewer posts than the waiting changes explain. */
  async lookWhetherMissing({ position, posts }: Summary): Promise<boolean> {
    this.#isMissing = this.#parts.index.isShared && (position === null || (await this.#isCut(posts, position.at)));
    return this.#isMissing;
  }

  async #isCut(posts: number, at: number): Promise<boolean> {
    const { index, store, source } = this.#parts;
    const changes = await source.countChanges(Math.floor((at - OVERLAP_MS) / 1_000), Number.MAX_SAFE_INTEGER);
    const least = (await store.countLive()) * CUT_SHARE - CUT_POSTS - changes;
    if (posts >= least) return false;
    // Nodes that have just restarted report all their documents only a second later.
    await delay(CUT_AGAIN_MS);
    return (await index.summary()).posts < least;
  }

  /** Records that a look has failed. `owed` was the number of failures at its start. */
  failLook(error: unknown, owed: number): void {
    const why = error instanceof IndexAwayError ? error : new IndexAwayError('away', `a look failed: ${error}`);
    if (this.#parts.index.isShared) this.noteAway(why);
    this.noteFailure(why);
    if (why.reason !== 'disk') return;
    // On a full disk no look succeeds, and lists may lack posts. So no look is late, and earlier failures do not count.
    this.cover(performance.now());
    this.settle(owed);
  }

  /** Records that a look has failed, or that a change of this process was not applied. */
  noteFailure(error: unknown): void {
    // On a full disk, lists still work and only lack new posts. After any other failure, lists may also lack changes of
    // other processes.
    const isDisk = error instanceof IndexAwayError && error.reason === 'disk';
    if (!this.#parts.index.isShared || isDisk) return;
    this.owed++;
    this.#failure = error instanceof IndexAwayError ? error : null;
  }

  /**
   * Applies a change of `posts` posts, again if that fails, until it succeeds or its time is over. A failure does not end
   * the wait: another process may still answer lists without the change, and notices the failure only after `LOOK_MS`.
   * @throws IndexAwayError where the index has not taken the change in time: it still may.
   */
  async inTime<T>(taking: () => Promise<T>, posts: number): Promise<T> {
    if (!this.#parts.index.isShared) return taking();
    const waitMs = this.#isLongAway ? LONG_AWAY_MS : TAKE_MS + posts * TAKE_POST_MS;
    for (const until = performance.now() + waitMs; ; await delay(AGAIN_MS)) {
      try {
        return await withTimeout(taking(), until - performance.now(), tooLate);
      } catch (error) {
        if (performance.now() + AGAIN_MS >= until || isHarmless(error)) throw error;
      }
    }
  }

  /** Whether the other processes have had the time to notice that the cluster is away. */
  get #isLongAway(): boolean {
    return this.#awayAt !== null && performance.now() - this.#awayAt >= TAKE_MS;
  }

  /**
   * Records that all changes before `upTo`, by `performance.now()`, are applied. Starts the time limit of the next
   * look.
   */
  cover(upTo: number): void {
    this.#coveredAt = upTo;
    this.expectLook(0);
  }

  /** Extends the time limit of the current look for this number of posts. */
  expectLook(posts: number): void {
    if (!this.#parts.index.isShared || this.#coveredAt === null) return;
    clearTimeout(this.#late);
    const inMs = this.#coveredAt + LOOK_MS + posts * TAKE_POST_MS - performance.now();
    const onLate = () => {
      this.noteAway(tooLate());
      this.noteFailure(tooLate());
    };
    this.#late = setTimeout(onLate, inMs).unref();
  }

  /** Logs each state once, however long it lasts. */
  noteAway(why: IndexAwayError | null): void {
    const { log } = this.#parts;
    if (why !== null && this.away?.message !== why.message) {
      log.error({ why: why.message }, 'the search cluster cannot be kept; trying again');
    }
    if (why === null && this.away !== null) log.info({}, 'the search cluster is kept again');
    this.away = why;
    // On a full disk the other processes answer lists.
    this.#awayAt = why === null || why.reason === 'disk' ? null : (this.#awayAt ?? performance.now());
  }

  /** Records that a look has repaired the first `owed` failures. */
  settle(owed: number): void {
    this.#settled = owed;
  }

  /** Deletes what killed builds have left: it takes room, and the cluster still writes to it. */
  async tidy(builds: Pick<IndexBuilds, 'tryHolding'>): Promise<void> {
    if (!this.#parts.index.isShared || performance.now() < this.#tidyAt) return;
    this.#tidyAt = performance.now() + TIDY_MS;
    await builds.tryHolding(() => this.#parts.index.tidy());
  }
}

/** Whether waiting is useless after this failure: on a full disk lists may lack posts; a missing index answers none. */
function isHarmless(error: unknown): boolean {
  return error instanceof IndexAwayError && (error.reason === 'disk' || error.reason === 'building');
}

function tooLate(): IndexAwayError {
  return new IndexAwayError('away', 'the search cluster did not take a change in time');
}
