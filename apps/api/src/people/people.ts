import type { Accounts } from '../accounts/accounts.ts';
import { Loop } from '../background/loop.ts';
import type { Base } from '../base.ts';
import type { Posts } from '../posts/posts.ts';
import { KeptOfWallets } from './kept-of-wallets.ts';

export interface People {
  kept: KeptOfWallets;
  /** Repeats deletions whose minute is over, which also completes interrupted ones. */
  finishDeletions(): Promise<void>;
}

const FINISH_EVERY_MS = 10_000;

/** Creates the feature for people's own data across all other features. */
export function createPeople({
  database,
  background,
  log,
  posts,
  accounts: { deletions },
}: Pick<Base, 'database' | 'background' | 'log'> & { posts: Posts; accounts: Pick<Accounts, 'deletions'> }): People {
  const kept = new KeptOfWallets(database, posts);
  const finishDeletions = async () => {
    for (const deletion of await deletions.due()) {
      await kept.forget(deletion._id, deletion.deletedAt);
      await deletions.end(deletion);
    }
  };
  const onFailure = (error: unknown) => log.error({ err: error }, 'deleting an account failed; trying again');
  background.add(new Loop({ pauseMs: FINISH_EVERY_MS, work: finishDeletions, onFailure }));
  return { kept, finishDeletions };
}
