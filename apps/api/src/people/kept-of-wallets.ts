import { DELETION_HELD_MS } from '../accounts/account-deletion-store.ts';
import { BrowserStore } from '../accounts/browser-store.ts';
import { SessionStore } from '../accounts/session-store.ts';
import { UserStore } from '../accounts/user-store.ts';
import { CollectionStore } from '../collections/collection-store.ts';
import type { Database } from '../db/database.ts';
import { PushStore } from '../notices/push-store.ts';
import type { Posts } from '../posts/posts.ts';
import { ReactionStore } from '../reactions/reaction-store.ts';
import { SaveStore } from '../saves/save-store.ts';
import { SavedSearchStore } from '../searches/saved-search-store.ts';

const REACTIONS_AT_ONCE = 500;

/** All stored data of a wallet that are deleted with its account. */
export class KeptOfWallets {
  readonly #database: Database;
  readonly #posts: Pick<Posts, 'store'>;

  constructor(database: Database, posts: Pick<Posts, 'store'>) {
    this.#database = database;
    this.#posts = posts;
  }

  /**
   * Deletes the data of a wallet whose account was deleted at `deletedAt`. Data created after a new sign-in stay.
   * Idempotent, also after an interrupted run.
   */
  async forget(wallet: string, deletedAt: Date): Promise<void> {
    const { db, clock } = this.#database;
    const until = new Date(deletedAt.getTime() + DELETION_HELD_MS);
    // Sessions end first, so that they write nothing more.
    await new SessionStore(db, clock).endAll(wallet);
    await new BrowserStore(db).dropOf(wallet);
    await new PushStore(db).dropAll(wallet);
    await new UserStore(db, () => clock.now().getTime()).drop(wallet, until);
    await new SavedSearchStore(db).dropAll(wallet, until);
    await new CollectionStore(db).dropAll(wallet, until);
    await new SaveStore(this.#database).forgetAsker(wallet, until);
    const reactions = new ReactionStore(db);
    for (;;) {
      const posts = await reactions.dropSome(wallet, until, REACTIONS_AT_ONCE);
      if (posts.length === 0) return;
      await this.#posts.store.noteReactions(posts);
    }
  }
}
