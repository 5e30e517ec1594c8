import type { TokenLaunch } from '@archive/contracts';
import { isRemoved } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { withTimeout } from '../with-timeout.ts';
import { toTokenLaunch } from './launch-document.ts';
import type { LaunchStore } from './launch-store.ts';

/** Launches of other processes and removals of posts appear within this time. */
const REFRESH_MS = 1_000;
/** A look that takes longer is given up. */
const LOOK_MS = 10_000;

interface Needs {
  launches: LaunchStore;
  posts: Pick<Posts, 'store' | 'responses'>;
  log: { error(details: object, message: string): void };
}

/** The newest launch on the chain whose post still exists. Kept in memory for every listing. */
export class LastLaunch {
  readonly #needs: Needs;
  #current: TokenLaunch | null = null;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  readonly #lookMs: number;

  constructor(needs: Needs, { lookMs = LOOK_MS }: { lookMs?: number } = {}) {
    this.#needs = needs;
    this.#lookMs = lookMs;
  }

  get current(): TokenLaunch | null {
    return this.#current;
  }

  async start(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => {
      this.refresh().catch((error: unknown) => this.#needs.log.error({ err: error }, 'the last launch is unknown'));
    }, REFRESH_MS);
    this.#timer.unref();
  }

  /**
   * Looks run in sequence, so that an older answer never replaces a newer one. Calls that come before the next look
   * begins share it.
   */
  refresh(): Promise<void> {
    if (this.#next) return this.#next;
    const next = this.#work.then(() => {
      this.#next = null;
      return withTimeout(this.#look(), this.#lookMs, () => new Error('looking for the last launch did not end'));
    });
    this.#next = next;
    this.#work = next.catch(() => {});
    return next;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#work;
  }

  async #look(): Promise<void> {
    const found = await this.#find();
    if (JSON.stringify(found) === JSON.stringify(this.#current)) return;
    this.#current = found;
    this.#needs.posts.responses.forget();
  }

  async #find(): Promise<TokenLaunch | null> {
    for await (const launch of this.#needs.launches.newest()) {
      const post = await this.#needs.posts.store.find(launch._id.toHexString());
      if (post && !isRemoved(post)) return { ...toTokenLaunch(launch), author: post.author };
    }
    return null;
  }
}
