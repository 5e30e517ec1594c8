import type { ObjectId } from 'mongodb';
import type { PostDocument } from './post-document.ts';

export interface PostChange {
  kind: 'added' | 'alias' | 'filled' | 'sealed' | 'featured' | 'launched' | 'reactions' | 'removed';
  ids: readonly ObjectId[];
  /** The posts as they are now, where the writer has them at hand. */
  posts?: readonly PostDocument[];
}

type Listener = (change: PostChange) => Promise<void> | void;

/** Where every change of a post by this process is announced, once; whatever depends on posts listens. */
export class PostChanges {
  readonly #listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Resolves when all have taken it in, one after another: from then on this process shows it. */
  async announce(change: PostChange): Promise<void> {
    for (const listener of this.#listeners) await listener(change);
  }
}
