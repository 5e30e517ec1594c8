import type { Base } from '../base.ts';
import type { Posts } from '../posts/posts.ts';

export interface Feeds {
  lastChange: LastChange;
}

/** The state of feeds besides the posts. */
export function createFeeds({ now }: Pick<Base, 'now'>, { posts }: { posts: Pick<Posts, 'follower'> }): Feeds {
  const lastChange = new LastChange(now);
  posts.follower.onTaken(() => lastChange.note());
  return { lastChange };
}

/** When lists last changed, as this process knows. Never earlier than the real change since the process started. */
export class LastChange {
  readonly #now: () => number;
  #at: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  note(): void {
    this.#at = this.#now();
  }

  /**
   * The time in whole seconds, as HTTP states it. Null during that second, because another change within it could not
   * be told apart.
   */
  get told(): Date | null {
    const second = Math.floor(this.#at / 1000) * 1000;
    return this.#now() >= second + 1000 ? new Date(second) : null;
  }
}
