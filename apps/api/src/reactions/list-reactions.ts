import type { GivenReaction, ReactionReceipts } from '@archive/contracts';
import { answerPosts } from '../posts/answer-posts.ts';
import { findLivePost } from '../posts/live-post.ts';
import type { Posts } from '../posts/posts.ts';
import type { Asker } from '../question-queue.ts';
import type { Reactions } from './reactions.ts';

interface Needs {
  posts: Pick<Posts, 'store' | 'largePages'>;
  reactions: Pick<Reactions, 'store'>;
}

const GIVEN_SHOWN = 1_000;
const RECEIPTS_PER_PAGE = 1_000;

/** A wallet's reactions, newest first, each with its post. Reactions to removed posts are left out. */
export async function listGivenReactions(context: Needs, wallet: string, asker: Asker): Promise<GivenReaction[]> {
  const rows = await context.reactions.store.allGivenBy(wallet, GIVEN_SHOWN);
  const distinct = [...new Map(rows.map((row) => [row.post.toHexString(), row.post])).values()];
  const posts = await context.posts.largePages.ask(
    async () => answerPosts(context, await context.posts.store.findInOrder(distinct.map((id) => id.id))),
    asker,
  );
  const byId = new Map(posts.map((post) => [post._id, post]));
  return rows.flatMap(({ post, type, createdAt }) => {
    const archive = byId.get(post.toHexString());
    if (!archive) return [];
    return [{ archiveId: archive._id, reactionType: type, createdAt: createdAt.toISOString(), archive }];
  });
}

/** All reactions to a post by wallet and type, so that anyone can verify the counts; `after` is the last row seen. */
export async function listReceipts(
  context: Pick<Needs, 'reactions'> & { posts: Pick<Posts, 'store'> },
  id: string,
  after: string | undefined,
): Promise<ReactionReceipts> {
  const post = await findLivePost(context.posts.store, id);
  const [wallet = '', type = ''] = after?.split(':') ?? [];
  const rows = await context.reactions.store.listOf(post._id, after ? { wallet, type } : null, RECEIPTS_PER_PAGE);
  const last = rows.at(-1);
  return {
    data: rows.map((row) => ({
      walletAddress: row.wallet,
      reactionType: row.type,
      createdAt: row.createdAt.toISOString(),
    })),
    next: last && rows.length === RECEIPTS_PER_PAGE ? `${last.wallet}:${last.type}` : null,
  };
}
