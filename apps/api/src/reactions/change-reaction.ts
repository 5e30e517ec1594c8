import type { PostReactions, ReactionType } from '@archive/contracts';
import type { ObjectId } from 'mongodb';
import { findPost } from '../archives/get-archive.ts';
import { checkSignedMessage, requireSame, spendSignedMessage } from '../auth/check-signed-message.ts';
import { requireAddress } from '../auth/create-challenge.ts';
import type { SignedText } from '../auth/verify-challenge.ts';
import type { Context } from '../context.ts';

type Needs = Pick<Context, 'archives' | 'reactions' | 'responses' | 'now' | 'config' | 'signedMessages'>;
export type Change = 'add' | 'remove';

/** Sets a wallet's reaction to a post on or off; repeating it changes nothing. */
export async function changeReaction(
  context: Needs,
  input: { id: string; walletAddress: string; reactionType: ReactionType; change: Change },
): Promise<PostReactions> {
  const post = await findPost(context.archives, input.id);
  return apply(context, post._id, input);
}

/** The same by a signed message, which must name this action, post, type and wallet; `onProven` once it is the wallet's. */
export async function changeReactionSigned(
  context: Needs,
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
  return apply(context, post._id, input);
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

async function apply(
  context: Needs,
  post: ObjectId,
  {
    walletAddress: wallet,
    reactionType: type,
    change,
  }: { walletAddress: string; reactionType: ReactionType; change: Change },
): Promise<PostReactions> {
  const at = new Date(context.now());
  const outcome = await context.reactions.set({ post, wallet, type, isOn: change === 'add', at });
  // Listings show counts, so what was kept of them is stale.
  if (outcome.isChanged) context.responses.forget();
  return outcome.reactions;
}
