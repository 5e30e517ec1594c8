import { PRODUCT_SLUG } from '@archive/contracts';
import { PlainError } from '../../../wallet/wallet-errors.ts';

const ELSEWHERE = 'A payment for this post is open in your wallet or in another tab.';

/**
 * Holds what only one tab may do at a time: pay for a post from a wallet. Where another one does, `wait` until it has
 * ended or gone, or be refused at once. Browsers without locks, on pages without TLS, go without.
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
