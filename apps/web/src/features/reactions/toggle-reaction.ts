import type { GivenReaction, Post, ReactionType } from '@archive/contracts';
import type { Cache, ScopedMutator } from 'swr';
import { callApi } from '../../lib/api.ts';
import { changePost } from '../../lib/post-cache.ts';
import { showToast } from '../../ui/toasts.tsx';
import { compareAccounts, endDeadSession, settledWallet } from '../../wallet/session.ts';
import { sessionKey } from '../../wallet/session-answer.ts';
import { CANNOT_SIGN } from '../../wallet/wallet-errors.ts';
import { walletState } from '../../wallet/wallet-store.ts';
import { withCounts, withReply } from './apply-reply.ts';

/**
 * Adds or removes a reaction with the session token, without a wallet prompt, and writes the server's answer into the
 * cache. A failure restores the earlier state silently, as the specification requires.
 */
export async function toggleReaction(
  post: Post,
  type: ReactionType,
  isOn: boolean,
  cache: Cache,
  mutate: ScopedMutator,
) {
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
      ? await callApi('addReaction', {
          params: { id: post._id },
          token,
          body: { reactionType: type },
        })
      : await callApi('removeReaction', { params: { id: post._id, reactionType: type }, token });
    await Promise.all([
      mutate<GivenReaction[]>(
        sessionKey('userReactions', token),
        (given) => withReply(given, withCounts(post, reply), reply, new Date()),
        { revalidate: false },
      ),
      changePost(post, (known) => withCounts(known, reply), cache, mutate),
    ]);
  } catch (error) {
    endDeadSession(error);
  }
}
