import { type Archive, ENDPOINTS, type GivenReaction, type PostReactions, type ReactionType } from '@archive/contracts';
import type { ScopedMutator } from 'swr';
import { callApi, pathWithId } from '../../lib/api.ts';
import { showToast } from '../../ui/toasts.tsx';
import { givenReactionsKey } from '../../wallet/given-reactions.ts';
import { compareAccounts, endDeadSession } from '../../wallet/session.ts';
import { settledWallet } from '../../wallet/settled-wallet.ts';
import { CANNOT_SIGN } from '../../wallet/wallet-errors.ts';
import { walletState } from '../../wallet/wallet-store.ts';
import { withCounts, withReply } from './apply-reply.ts';

/**
 * Gives or takes back a reaction by token, without a prompt, and puts the server's answer where the page reads from.
 * A failure leaves everything as it was and, as the specification has it, is not spoken of.
 */
export async function toggleReaction(post: Archive, type: ReactionType, isOn: boolean, mutate: ScopedMutator) {
  await settledWallet();
  const { wallet } = walletState();
  compareAccounts(wallet?.currentAddress() ?? null);
  const { token } = walletState();
  if (token === null) return;
  if (wallet === null || wallet.signMessage === null) {
    showToast('error', CANNOT_SIGN);
    return;
  }
  try {
    const reply = isOn
      ? await callApi<PostReactions>(ENDPOINTS.addReaction, {
          params: { id: post._id },
          token,
          body: { reactionType: type },
        })
      : await callApi<PostReactions>(ENDPOINTS.removeReaction, { params: { id: post._id, reactionType: type }, token });
    const keep = { revalidate: false };
    await Promise.all([
      mutate<GivenReaction[]>(
        givenReactionsKey(token),
        (given) => withReply(given, { ...post, reactions: countsOf(reply) }, reply, new Date()),
        keep,
      ),
      mutate(isListOrPost, (answer: unknown) => withCounts(answer, post._id, reply), keep),
      // A question for the post that is still under way may have been answered before the reaction: it is put aside.
      mutate<Archive>(
        pathWithId(ENDPOINTS.getArchive.path, post._id),
        (known) => withCounts(known ?? post, post._id, reply),
        keep,
      ),
    ]);
  } catch (error) {
    endDeadSession(error);
  }
}

function countsOf({ heart, thumbsUp, thumbsDown }: PostReactions) {
  return { heart, thumbsUp, thumbsDown };
}

function isListOrPost(key: unknown): boolean {
  return typeof key === 'string' && key.startsWith(ENDPOINTS.listArchives.path);
}
