/**
 * X's list prices in thousandths of a US cent, as its pricing page (docs.x.com, "Pay-per-use pricing") has them in November
 * 2026. Answers without posts are free.
 */
export const PRICES = {
  /** Each post that names our own account; the account has to own the developer app, else they cost as much as others. */
  mentions: 100,
  /** Each other post. */
  posts: 500,
  /** An account by itself. */
  user: 1_000,
  /** An answer to somebody who named us, also with a link in it. */
  reply: 1_000,
} as const;
