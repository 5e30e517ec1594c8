import { PRODUCT_SLUG } from '@archive/contracts';
import { PlainError } from '../../../wallet/wallet-errors.ts';

const ELSEWHERE = 'A payment for this post is open in your wallet or in another tab.';

/**
 * Holds a lock across tabs: only one tab may pay for a post from a wallet. If another tab holds it, `wait` decides
 * between waiting for its release and failing at once. Browsers without the Web Locks API (pages without TLS) run
 * without a lock.
 */
export async function withPaymentLock<Result>(
  { wallet, postId }: { wallet: string; postId: string },
  wait: boolean,
  use: () => Promise<Result>,
): Promise<Result> {
  if (navigator.locks === undefined) return use();
  return navigator.locks.request(`${PRODUCT_SLUG}.pay ${wallet} ${postId}`, { ifAvailable: !wait }, async (lock) => {
    if (lock === null) throw new PlainError(ELSEWHERE);
    return use();
  });
}
