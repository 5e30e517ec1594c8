import type { PostReactions, ReactionType } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import { Batcher } from '../db/batcher.ts';
import { type Stops, suspended } from '../operators/operators.ts';
import { livePost } from '../posts/live-post.ts';
import type { Posts } from '../posts/posts.ts';
import { ReactionStore } from './reaction-store.ts';

export interface ReactionChange {
  id: string;
  walletAddress: string;
  reactionType: ReactionType;
  change: 'add' | 'remove';
}

export interface Reactions {
  store: ReactionStore;
  /** Collects simultaneous changes, so that they share database round trips. */
  changes: Batcher<ReactionChange, PostReactions>;
}

export function createReactions({ database, now }: Base, posts: Posts, operators: Pick<Stops, 'wallets'>): Reactions {
  const store = new ReactionStore(database.db);
  const changes = new Batcher<ReactionChange, PostReactions>(async (changes) => {
    const adding = new Set(changes.flatMap(({ change, walletAddress }) => (change === 'add' ? [walletAddress] : [])));
    const [known, stopped] = await Promise.all([
      posts.store.findEach(changes.map(({ id }) => id)),
      operators.wallets.stoppedOf([...adding]),
    ]);
    // A suspended wallet can still take back its reactions.
    const found = known.map((post, at) => {
      const { change, walletAddress } = changes[at] as ReactionChange;
      return change === 'add' && stopped.has(walletAddress) ? suspended() : livePost(post);
    });
    const at = new Date(now());
    const settings = changes.flatMap(({ walletAddress: wallet, reactionType: type, change }, index) => {
      const post = found[index];
      return post && !(post instanceof AppError) ? [{ post: post._id, wallet, type, isOn: change === 'add', at }] : [];
    });
    const { isChanged, standings } = await store.set(settings);
    if (isChanged) await posts.store.noteReactions(settings.map(({ post }) => post));
    let next = 0;
    return found.map((post) => (post instanceof AppError ? post : (standings[next++] as PostReactions)));
  });
  return { store, changes };
}
