import { cutCodePoints, type PaidPost } from '@archive/contracts';
import { isRemoved, type StoredPost } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import type { Featuring } from './featuring.ts';
import type { PaymentDocument } from './payment-document.ts';

const SHOWN = 100;
const WORDS = 120;

/** A wallet's payments, newest first, with whether each is still shown. */
export async function listPaidPosts(
  { featuring, posts }: { featuring: Pick<Featuring, 'payments'>; posts: Pick<Posts, 'store'> },
  wallet: string,
): Promise<PaidPost[]> {
  const payments = await featuring.payments.paidBy(wallet, SHOWN);
  const ids = payments.map(({ post, usedOn }) => (usedOn ?? post)?.toHexString());
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  const found = known.length > 0 ? await posts.store.findEach(known) : [];
  const byId = new Map(known.map((id, at) => [id, found[at] ?? null]));
  return payments.map((payment, at) => {
    const id = ids[at];
    const post = id === undefined ? null : (byId.get(id) ?? null);
    return {
      transaction: payment._id,
      baseUnits: payment.baseUnits,
      mint: payment.mint,
      at: payment.createdAt.toISOString(),
      archiveId: id ?? null,
      content: post && !isRemoved(post) ? cutCodePoints(post.content, WORDS) : null,
      state: stateOf(payment, post),
    };
  });
}

function stateOf(payment: PaymentDocument, post: StoredPost | null): PaidPost['state'] {
  if (payment.state === 'credit' && !payment.usedOn) return 'credit';
  if (payment.state === 'confirmed') return 'pending';
  if (!post || isRemoved(post)) return 'removed';
  // If the payment is a used credit, its use features the post.
  return post.featuredPayment === (payment.use ?? payment._id) ? 'featured' : 'ended';
}
