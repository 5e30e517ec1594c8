import { type CreditReason, OPEN_REPORTS_PER_NETWORK, OPEN_REPORTS_PER_WALLET, type Post } from '@archive/contracts';
import bs58 from 'bs58';
import type { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import type { Chain } from '../chain/chain.ts';
import { ChainUnavailableError } from '../chain/solana-rpc.ts';
import { findPost, noSuchPost } from '../posts/live-post.ts';
import type { Reactions } from '../reactions/reactions.ts';
import type { FeatureOffer } from './feature-offer.ts';
import { type PaymentDocument, toCredit } from './payment-document.ts';
import { isExpired, nextLook } from './report-schedule.ts';
import { type Settlement, type Needs as SettleNeeds, settlePayment } from './settle-payment.ts';

interface Needs extends SettleNeeds, Pick<Base, 'config'> {
  reactions: Pick<Reactions, 'store'>;
}

const CAPS = { wallet: OPEN_REPORTS_PER_WALLET, network: OPEN_REPORTS_PER_NETWORK };
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

const OTHER_WALLET = 'This payment was made by another wallet.';

const CREDITED: Record<CreditReason, string> = {
  already_featured: 'This post was featured by somebody else first. Your payment is kept as a credit.',
  post_removed: 'This post was removed from the archive. Your payment is kept as a credit.',
  post_unknown: 'Your payment names a post that is not in the archive. It is kept as a credit.',
  too_little: 'Your payment is less than the price. It is kept as a credit.',
  several_posts: 'Your payment names several posts. It is kept as a credit.',
  moved_otherwise: 'Your tokens arrived without a transfer that your wallet signed. They are kept as a credit.',
  stopped: 'Featuring was stopped by the operators when this was sent. Your payment is kept as a credit.',
  suspended: 'Your wallet was suspended by the operators when this was sent. Your payment is kept as a credit.',
  change: 'Your payment is kept as a credit.',
};

/** Parses a transaction's signature: 64 bytes in base58. Throws a refusal otherwise. */
export function readSignature(text: string): string {
  if (BASE58.test(text) && bs58.decode(text).length === 64) return text;
  throw new AppError('invalid_request', 'The field transaction must be a transaction signature.', {
    errors: [{ path: 'transaction', message: 'must be a transaction signature' }],
  });
}

/**
 * The state of a wallet's payment for a post, advanced as far as the chain allows; null while it is not confirmed.
 * Idempotent: the same payer gets the same answer for the same payment and post.
 */
export async function verifyFeature(
  context: Needs,
  chain: Chain,
  offer: FeatureOffer,
  input: { wallet: string; network: string; amberId: string; signature: string },
): Promise<Post | null> {
  const { wallet, network, signature } = input;
  const { payments } = context.featuring;
  const [post, kept] = await Promise.all([context.posts.store.find(input.amberId), payments.find(signature)]);
  if (!post) throw noSuchPost();
  if (kept && kept.state !== 'confirmed' && kept.state !== 'dropped')
    return answer(context, offer, kept, wallet, post._id);
  const said = { signature, wallet, network, post: post._id, height: null, reportedAt: context.database.clock.now() };
  // The report is stored first. If no node answers, the watcher continues with it.
  const report = await payments.openReport(said, context.config.rateLimits ? CAPS : null);
  if (!report) throw tooManyWait();
  // Read after the report, so that a report which another call made in the same moment is due as well.
  const now = context.database.clock.now();
  if (report.nextAt > now) {
    if (report.isExpired) throw neverSeen();
    return null;
  }
  const height = await chain.blockHeight().catch(unlessAway);
  const settlement = await settlePayment(context, chain, offer, signature).catch(unlessAway);
  if (settlement === null || settlement.kind === 'pending') {
    const isLost = settlement?.isOnChain === false && height !== null && isExpired(report, height);
    const nextAt = nextLook(report, now, isLost);
    await payments.postpone(report, { nextAt, height: report.height ?? height, isExpired: isLost });
    if (isLost) throw neverSeen();
    return null;
  }
  await payments.forgetOne(report);
  if (settlement.kind === 'renamed') {
    throw new AppError('payment_refused', `A transaction is named by its first signature: ${settlement.signature}`);
  }
  return answer(context, offer, requirePayment(settlement, wallet), wallet, post._id);
}

/** The answer about a settled payment to this caller, for this post. */
async function answer(
  context: Needs,
  { terms }: FeatureOffer,
  payment: PaymentDocument,
  wallet: string,
  post: ObjectId,
): Promise<Post> {
  if (payment.payer !== wallet) throw new AppError('payment_refused', OTHER_WALLET);
  const isHere = payment.post?.equals(post) ?? false;
  const isFeatured = payment.state === 'applied' || payment.state === 'finalized';
  if ((isFeatured && isHere) || payment.usedOn?.equals(post)) return findPost(context, post.toHexString());
  if (isFeatured || payment.usedOn) {
    throw new AppError('payment_used', 'This payment was already used for another post.');
  }
  const reason = payment.reason ?? 'already_featured';
  throw new AppError(reason === 'too_little' ? 'payment_too_little' : 'payment_credited', CREDITED[reason], {
    members: { credit: toCredit(payment, terms.mint) },
  });
}

/** The payment, if the chain shows one and this wallet made it. */
function requirePayment(
  settlement: Extract<Settlement, { kind: 'settled' | 'refused' | 'unclaimed' }>,
  wallet: string,
): PaymentDocument {
  if (settlement.kind === 'refused') throw new AppError('payment_refused', settlement.refusal.message);
  const { payer } = settlement.kind === 'unclaimed' ? settlement.facts : settlement.payment;
  if (payer !== wallet) throw new AppError('payment_refused', OTHER_WALLET);
  if (settlement.kind === 'unclaimed') {
    throw new AppError('payment_refused', 'This payment names no post and is older than 24 hours.');
  }
  if (settlement.payment.state === 'dropped') {
    throw new AppError('payment_not_found', 'The network took this transaction back, so nothing was paid.');
  }
  return settlement.payment;
}

/** No node has seen the transaction before its blockhash expired, so it can never land. */
function neverSeen(): AppError {
  return new AppError('payment_not_found', 'The network never saw this transaction, so nothing was paid.');
}

function tooManyWait(): AppError {
  const sentence = 'Too many payments are waiting for the network. What was paid is found without being reported.';
  return new AppError('rate_limited', sentence, { headers: { 'Retry-After': '60' } });
}

function unlessAway(error: unknown): null {
  if (error instanceof ChainUnavailableError) return null;
  throw error;
}
