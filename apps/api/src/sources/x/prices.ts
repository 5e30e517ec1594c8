/**
 * X's list prices in thousandths of a US cent. Source: X's pricing page (docs.x.com, "Pay-per-use pricing"), November
 * 2026. Answers without posts are free.
 */
export const PRICES = {
  /**
   * A post that mentions our own account. The account must own the developer app; otherwise the price is that of other
   * posts.
   */
  mentions: 100,
  /** Any other post. */
  posts: 500,
  /** A lookup of an account. */
  user: 1_000,
  /** A reply to someone who mentioned us, also one with a link. */
  reply: 1_000,
} as const;
