import type { PostReactions } from '@archive/contracts';
import type { Accounts } from '../accounts/accounts.ts';
import { checkSignedMessage, requireSame, spendSignedMessage } from '../accounts/signed-message.ts';
import { requireAddress, type SignedText } from '../accounts/signed-text.ts';
import type { Base } from '../base.ts';
import { findLivePost } from '../posts/live-post.ts';
import type { Posts } from '../posts/posts.ts';
import type { ReactionChange, Reactions } from './reactions.ts';

interface Needs {
  posts: Pick<Posts, 'store'>;
  reactions: Reactions;
}

/** Sets or removes a wallet's reaction to a post; idempotent. */
export async function changeReaction(context: Pick<Needs, 'reactions'>, input: ReactionChange): Promise<PostReactions> {
  return context.reactions.changes.ask(input);
}

/**
 * Changes a reaction by a signed message, which must name this action, post, type and wallet. Calls `onProven` once the
 * signature is verified.
 */
export async function changeReactionSigned(
  context: Needs & Pick<Base, 'config'> & { accounts: Pick<Accounts, 'signedMessages' | 'deletions'> },
  input: SignedText & ReactionChange,
  onProven: () => Promise<void>,
): Promise<PostReactions> {
  const message = checkSignedMessage(context, input, input.change);
  await onProven();
  requireSame('reactionType', message.reactionType, input.reactionType);
  requireSame('profileData', message.profileData ?? null, null);
  const post = await findLivePost(context.posts.store, input.id);
  const signedId = message.archiveId ?? '';
  const isSamePost = signedId.toLowerCase() === post._id.toHexString() || post.ids.includes(signedId);
  requireSame('archiveId', isSamePost, true);
  const about = `${input.walletAddress} ${post._id.toHexString()} ${input.reactionType}`;
  await spendSignedMessage(context, input.message, message, about);
  return context.reactions.changes.ask({ ...input, id: post._id.toHexString() });
}

/** The counts of one post, and the reactions of one wallet to it. */
export async function getReactions(
  context: Needs,
  id: string,
  walletAddress: string | undefined,
): Promise<PostReactions> {
  if (walletAddress !== undefined) requireAddress(walletAddress);
  const post = await findLivePost(context.posts.store, id);
  return context.reactions.store.read(post._id, walletAddress);
}
