import { PRODUCT_SLUG } from '@archive/contracts';

const PREFIX = `${PRODUCT_SLUG}:feature:`;
const POST_ID = /^[0-9a-f]{24}$/;

/** Bytes of every feature memo; all are ASCII. */
export const FEATURE_MEMO_BYTES = PREFIX.length + 24;

/**
 * The memo that binds a payment to one post: "amber:feature:<_id>".
 *
 * @throws TypeError where `postId` is not a post's `_id`, 24 lower-case hex digits.
 */
export function featureMemo(postId: string): string {
  if (!POST_ID.test(postId)) throw new TypeError('A feature memo names a post by its _id');
  return PREFIX + postId;
}

/** The post that a memo names. Null if the memo is not exactly one that `featureMemo` makes. */
export function parseFeatureMemo(memo: string): string | null {
  const postId = memo.slice(PREFIX.length);
  return memo.startsWith(PREFIX) && POST_ID.test(postId) ? postId : null;
}
