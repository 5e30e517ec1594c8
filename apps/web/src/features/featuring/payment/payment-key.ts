import { PRODUCT_SLUG } from '@archive/contracts';

/** Of the storage keys of payments under way, one for each signature; apart, so that looking needs no other code. */
export const PAYMENT_KEY = `${PRODUCT_SLUG}.payment.`;

/** Whether this browser has sent payments whose end it does not know. */
export function hasPaymentsUnderWay(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(PAYMENT_KEY));
  } catch {
    return false;
  }
}
