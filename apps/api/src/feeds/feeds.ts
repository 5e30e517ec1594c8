import type { Base } from '../base.ts';
import type { Posts } from '../posts/posts.ts';

export interface Feeds {
  lastChange: LastChange;
}

/** What feeds need to know beside the posts. */
export function createFeeds({ now }: Pick<Base, 'now'>, { posts }: { posts: Pick<Posts, 'follower'> }): Feeds {
  const lastChange = new LastChange(now);
  posts.follower.onTaken(() => lastChange.note());
  return { lastChange };
}

/** When what lists show changed last, as this process has heard: never earlier than it was, since it began then. */
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
   * The moment in whole seconds, as HTTP tells it; null while that second lasts: more may change in it, and whoever was
   * told of it would not be told again.
   */
  get told(): Date | null {
    const second = Math.floor(this.#at / 1000) * 1000;
    return this.#now() >= second + 1000 ? new Date(second) : null;
  }
}
