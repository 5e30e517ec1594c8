import { PRODUCT_SLUG } from '@archive/contracts';

/**
 * Prefix of the storage keys of unfinished payments, one key per signature. In its own module, so that a check loads no
 * other code.
 */
export const PAYMENT_KEY = `${PRODUCT_SLUG}.payment.`;

/** Whether this browser has unfinished payments. */
export function hasPaymentsUnderWay(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(PAYMENT_KEY));
  } catch {
    return false;
  }
}
