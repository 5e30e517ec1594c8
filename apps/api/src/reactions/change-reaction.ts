import type { PostReactions, ReactionType } from '@archive/contracts';
import { findPost, livePost } from '../archives/get-archive.ts';
import { checkSignedMessage, requireSame, spendSignedMessage } from '../auth/check-signed-message.ts';
import { requireAddress } from '../auth/create-challenge.ts';
import type { SignedText } from '../auth/verify-challenge.ts';
import type { Context } from '../context.ts';
import { Batcher } from '../db/batcher.ts';
import { AppError } from '../http/app-error.ts';

type Change = 'add' | 'remove';

export interface ReactionChange {
  id: string;
  walletAddress: string;
  reactionType: ReactionType;
  change: Change;
}

/** Sets a wallet's reaction to a post on or off; repeating it changes nothing. */
export async function changeReaction(
  context: Pick<Context, 'reactionChanges'>,
  input: ReactionChange,
): Promise<PostReactions> {
  return context.reactionChanges.ask(input);
}

/** The same by a signed message, which must name this action, post, type and wallet; `onProven` once it is the wallet's. */
export async function changeReactionSigned(
  context: Pick<Context, 'archives' | 'reactionChanges' | 'now' | 'config' | 'signedMessages'>,
  input: SignedText & { id: string; reactionType: ReactionType; change: Change },
  onProven: () => Promise<void>,
): Promise<PostReactions> {
  const message = checkSignedMessage(context, input, input.change);
  await onProven();
  requireSame('reactionType', message.reactionType, input.reactionType);
  requireSame('profileData', message.profileData ?? null, null);
  const post = await findPost(context.archives, input.id);
  const signedId = message.archiveId ?? '';
  const isSamePost = signedId.toLowerCase() === post._id.toHexString() || post.ids.includes(signedId);
  requireSame('archiveId', isSamePost, true);
  const about = `${input.walletAddress} ${post._id.toHexString()} ${input.reactionType}`;
  await spendSignedMessage(context, input.message, message, about);
  return context.reactionChanges.ask({ ...input, id: post._id.toHexString() });
}

/** Counts of one post, and what one wallet has given. */
export async function getReactions(
  context: Pick<Context, 'archives' | 'reactions'>,
  id: string,
  walletAddress: string | undefined,
): Promise<PostReactions> {
  if (walletAddress !== undefined) requireAddress(walletAddress);
  const post = await findPost(context.archives, id);
  return context.reactions.read(post._id, walletAddress);
}

/** Changes of one moment share their round trips to the database. */
export function createReactionChanges(
  context: Pick<Context, 'archives' | 'reactions' | 'responses' | 'now'>,
): Batcher<ReactionChange, PostReactions> {
  return new Batcher<ReactionChange, PostReactions>(async (changes) => {
    const found = await context.archives.findEach(changes.map(({ id }) => id));
    const posts = found.map(livePost);
    const at = new Date(context.now());
    const settings = changes.flatMap(({ walletAddress: wallet, reactionType: type, change }, index) => {
      const post = posts[index];
      return post && !(post instanceof AppError) ? [{ post: post._id, wallet, type, isOn: change === 'add', at }] : [];
    });
    const { isChanged, standings } = await context.reactions.set(settings);
    // Listings show counts, so what was kept of them is stale.
    if (isChanged) context.responses.forget();
    let next = 0;
    return posts.map((post) => (post instanceof AppError ? post : (standings[next++] as PostReactions)));
  });
}
