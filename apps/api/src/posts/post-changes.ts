import type { ObjectId } from 'mongodb';
import type { PostDocument } from './post-document.ts';

export interface PostChange {
  kind: 'added' | 'alias' | 'filled' | 'sealed' | 'featured' | 'launched' | 'reactions' | 'removed';
  ids: readonly ObjectId[];
  /** The new state of the posts, if the writer has it at hand. */
  posts?: readonly PostDocument[];
}

type Listener = (change: PostChange) => Promise<void> | void;

/** Each writer of this process announces each change of a post here once; features that depend on posts listen. */
export class PostChanges {
  readonly #listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Calls the listeners one after another. Once it resolves, this process shows the change. */
  async announce(change: PostChange): Promise<void> {
    for (const listener of this.#listeners) await listener(change);
  }
}
