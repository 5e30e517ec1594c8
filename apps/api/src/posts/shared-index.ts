import { setTimeout as delay } from 'node:timers/promises';
import { type ArchiveIndex, IndexAwayError, type Summary } from '@archive/search';
import type { Lease } from '../background/lease.ts';
import type { Asker } from '../question-queue.ts';
import { withTimeout } from '../with-timeout.ts';
import { type IndexBuilds, type Logger, OVERLAP_MS } from './index-builds.ts';
import type { PostStore } from './post-store.ts';
import type { PostsForIndex } from './posts-for-index.ts';

/** A change is answered after this long, and as much more for each of its posts, even if the index has not taken it in: until then lists are away. */
const TAKE_MS = 15_000;
const TAKE_POST_MS = 100;
/** Lists are away where no look has ended for so long, and as much more as above for each post: another process may have answered a change that it could not take in. */
const LOOK_MS = 14_000;
/** How often a process renews its lease to keep a shared index, or asks for it. */
const RENEW_MS = 5_000;
/** How often the keeper of a shared index looks for what killed builds have left. */
const TIDY_MS = 60_000;
/** An index that holds less than this share of the posts, and changes do not tell why, has lost a part. */
const CUT_SHARE = 0.995;
/** A difference of so few posts says nothing. */
const CUT_POSTS = 500;
const CUT_AGAIN_MS = 3_000;

interface Parts {
  index: Pick<ArchiveIndex<Asker>, 'isShared' | 'summary' | 'tidy'>;
  store: Pick<PostStore, 'countLive'>;
  source: Pick<PostsForIndex, 'countChanges'>;
  /** Held by the one process that keeps an index that all processes share. */
  keeper: Pick<Lease, 'take' | 'end'>;
  log: Logger;
}

/** What a process knows of an index that all processes share, and does to keep it. A process with an index of its own always keeps it; nothing else here applies to it. */
export class SharedIndex {
  readonly #parts: Parts;
  #keeping = { isOurs: false, until: 0 };
  /** Why it cannot be kept, in words; null where it can. */
  away: string | null = null;
  /** It is not there yet, or lacks a part. */
  #isMissing = false;
  /** Times that changes could not reach it, and how many of these were made up for: until then lists lack posts. */
  owed = 0;
  #settled = 0;
  #tidyAt = 0;
  /** By `performance.now()`: what was changed before is taken in; null before the first look has ended. */
  #coveredAt: number | null = null;
  #late: NodeJS.Timeout | undefined;
  /** It is to be built although one is there. */
  mustBuild = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether no process can answer lists. */
  get isAway(): boolean {
    return this.away !== null || this.#isMissing;
  }

  /** Whether it has taken in every change that failed to reach it. */
  get isSettled(): boolean {
    return this.#settled === this.owed;
  }

  /** Why it cannot be asked, in words. `failure`: why the last build failed. */
  troubleAfter(failure: string | null): string | null {
    if (this.away !== null || !this.#isMissing) return this.away;
    const attempt = failure ? `; its last attempt failed: ${failure}` : '';
    return `the search cluster holds no whole index of this archive: one process builds it${attempt}`;
  }

  /** Whether this process keeps it: one process at a time does. */
  async keeps(): Promise<boolean> {
    if (!this.#parts.index.isShared) return true;
    if (performance.now() < this.#keeping.until) return this.#keeping.isOurs;
    this.#keeping = { isOurs: await this.#parts.keeper.take(), until: performance.now() + RENEW_MS };
    return this.#keeping.isOurs;
  }

  /** Lets another process keep it. */
  async end(): Promise<void> {
    clearTimeout(this.#late);
    if (this.#keeping.isOurs) await this.#parts.keeper.end();
  }

  /** Whether it is not there, or holds fewer posts than what was changed since can tell. */
  async lookWhetherMissing({ position, posts }: Summary): Promise<boolean> {
    this.#isMissing = this.#parts.index.isShared && (position === null || (await this.#isCut(posts, position.at)));
    return this.#isMissing;
  }

  async #isCut(posts: number, at: number): Promise<boolean> {
    const { index, store, source } = this.#parts;
    const changes = await source.countChanges(Math.floor((at - OVERLAP_MS) / 1_000), Number.MAX_SAFE_INTEGER);
    const least = (await store.countLive()) * CUT_SHARE - CUT_POSTS - changes;
    if (posts >= least) return false;
    // Nodes that have just begun again show what they hold a second later.
    await delay(CUT_AGAIN_MS);
    return (await index.summary()).posts < least;
  }

  /** A look has failed, or a change of this process could not be taken in. */
  noteFailure(error: unknown): void {
    // On a full disk lists go on without what is new. Otherwise what others have saved meanwhile is in no list either.
    const isDisk = error instanceof IndexAwayError && error.reason === 'disk';
    if (this.#parts.index.isShared && !isDisk) this.owed++;
  }

  /** Waits until a change of so many posts is taken in. @throws IndexAwayError where that takes too long: it may still be. */
  inTime<T>(taking: Promise<T>, posts: number): Promise<T> {
    if (!this.#parts.index.isShared) return taking;
    return withTimeout(taking, TAKE_MS + posts * TAKE_POST_MS, tooLate);
  }

  /** What was changed before, by `performance.now()`, is taken in; the next look must end in time. */
  cover(upTo: number): void {
    this.#coveredAt = upTo;
    this.expectLook(0);
  }

  /** The look that is under way takes in so many posts. */
  expectLook(posts: number): void {
    if (!this.#parts.index.isShared || this.#coveredAt === null) return;
    clearTimeout(this.#late);
    const inMs = this.#coveredAt + LOOK_MS + posts * TAKE_POST_MS - performance.now();
    const onLate = () => {
      this.noteAway(tooLate().message);
      this.noteFailure(tooLate());
    };
    this.#late = setTimeout(onLate, inMs).unref();
  }

  /** Logged once, however long it lasts. */
  noteAway(why: string | null): void {
    const { log } = this.#parts;
    if (why !== null && this.away !== why) log.error({ why }, 'the search cluster cannot be kept; trying again');
    if (why === null && this.away !== null) log.info({}, 'the search cluster is kept again');
    this.away = why;
  }

  /** All has been taken in that was there when so many were owed. */
  settle(owed: number): void {
    this.#settled = owed;
  }

  /** What a build that was killed has left takes room, and is written to. */
  async tidy(builds: Pick<IndexBuilds, 'tryHolding'>): Promise<void> {
    const { index } = this.#parts;
    if (!index.isShared || performance.now() < this.#tidyAt) return;
    this.#tidyAt = performance.now() + TIDY_MS;
    await builds.tryHolding(() => index.tidy());
  }
}

function tooLate(): IndexAwayError {
  return new IndexAwayError('away', 'the search cluster did not take a change in time');
}
