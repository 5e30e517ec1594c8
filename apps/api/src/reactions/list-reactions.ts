import type { GivenReaction, ReactionReceipt } from '@archive/contracts';
import { findPost } from '../archives/get-archive.ts';
import { toArchive } from '../archives/post-document.ts';
import type { Context } from '../context.ts';

const GIVEN_SHOWN = 1_000;
const RECEIPTS_PER_PAGE = 1_000;

/** What a wallet has given, newest first, each with its post; reactions to removed posts are left out. */
export async function listGivenReactions(
  context: Pick<Context, 'archives' | 'reactions'>,
  wallet: string,
): Promise<GivenReaction[]> {
  const rows = await context.reactions.allGivenBy(wallet, GIVEN_SHOWN);
  const distinct = [...new Map(rows.map((row) => [row.post.toHexString(), row.post])).values()];
  const [posts, counts] = await Promise.all([
    context.archives.findInOrder(distinct.map((id) => id.id)),
    context.reactions.countOf(distinct),
  ]);
  const byId = new Map(posts.map((post) => [post._id.toHexString(), toArchive(post, counts)]));
  return rows.flatMap(({ post, type, createdAt }) => {
    const archive = byId.get(post.toHexString());
    if (!archive) return [];
    return [{ archiveId: archive._id, reactionType: type, createdAt: createdAt.toISOString(), archive }];
  });
}

/** Who gave which reaction to a post, by wallet and type, so that anybody can count again; `after` is the last row seen. */
export async function listReceipts(
  context: Pick<Context, 'archives' | 'reactions'>,
  id: string,
  after: string | undefined,
): Promise<{ data: ReactionReceipt[]; next: string | null }> {
  const post = await findPost(context.archives, id);
  const [wallet = '', type = ''] = after?.split(':') ?? [];
  const rows = await context.reactions.listOf(post._id, after ? { wallet, type } : null, RECEIPTS_PER_PAGE);
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
