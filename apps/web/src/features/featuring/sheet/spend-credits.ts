import type { ScopedMutator } from 'swr';
import { callApi } from '../../../lib/api.ts';
import { withTimeout } from '../../../lib/with-timeout.ts';
import { endDeadSession } from '../../../wallet/session.ts';
import { walletState } from '../../../wallet/wallet-store.ts';
import { showFeatured } from '../payment/show-featured.ts';
import { type BeforeView, readView } from './read-view.ts';

/** Features a post with the signed-in person's credits. If they do not suffice, returns the current cost. */
export async function spendCredits(postId: string, mutate: ScopedMutator): Promise<BeforeView> {
  const { token } = walletState();
  try {
    const call = callApi('useFeatureCredits', { token, body: { amberId: postId } });
    const result = await withTimeout(call);
    await showFeatured(result.success ? result.archive : null, mutate);
    return result.success ? { kind: 'featured', archive: result.archive } : readView(postId, mutate);
  } catch (error) {
    endDeadSession(error);
    // The credits may have been used for another post, or someone else may have featured this one.
    await showFeatured(null, mutate);
    throw error;
  }
}
