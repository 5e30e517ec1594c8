import type { ScopedMutator } from 'swr';
import { callApi } from '../../../lib/api.ts';
import { withTimeout } from '../../../lib/with-timeout.ts';
import { endDeadSession } from '../../../wallet/session.ts';
import { walletState } from '../../../wallet/wallet-store.ts';
import { showFeatured } from '../payment/show-featured.ts';
import { type BeforeView, readView } from './read-view.ts';

/** Features a post for the credits of the signed-in person; where they do not cover it, says what it costs now. */
export async function spendCredits(postId: string, mutate: ScopedMutator): Promise<BeforeView> {
  const { token } = walletState();
  try {
    const call = callApi('useFeatureCredits', { token, body: { amberId: postId } });
    const result = await withTimeout(call);
    await showFeatured(result.success ? result.archive : null, mutate);
    return result.success ? { kind: 'featured', archive: result.archive } : readView(postId, mutate);
  } catch (error) {
    endDeadSession(error);
    // Another post may have used the credits up, or somebody else featured this one.
    await showFeatured(null, mutate);
    throw error;
  }
}
