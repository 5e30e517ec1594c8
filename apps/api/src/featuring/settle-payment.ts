import type { CreditReason } from '@archive/contracts';
import {
  checkFeaturePayment,
  isRefusal,
  type PaymentFacts,
  type Refusal,
  readFeaturePayment,
} from '@archive/solana/verify';
import type { ObjectId } from 'mongodb';
import type { Base } from '../base.ts';
import type { Chain } from '../chain/chain.ts';
import type { Stops } from '../operators/operators.ts';
import { isRemoved } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import type { FeatureOffer } from './feature-offer.ts';
import type { Featuring } from './featuring.ts';
import type { PaymentDocument } from './payment-document.ts';

/** What is needed after the chain was read. */
export interface ApplyNeeds extends Pick<Base, 'database' | 'ledger'> {
  posts: Pick<Posts, 'store'>;
  featuring: Pick<Featuring, 'payments'>;
}

export interface Needs extends ApplyNeeds {
  featuring: Pick<Featuring, 'payments' | 'prices' | 'refusals'>;
  operators: Stops;
  audit: Pick<Base['audit'], 'note'>;
}

/** The result of looking up a signature on the chain. */
export type Settlement =
  | { kind: 'settled'; payment: PaymentDocument }
  /** The chain does not show the transaction yet, or its answer cannot be judged. */
  | { kind: 'pending'; isOnChain: boolean }
  /** The caller named a second signature; `signature` is the first one, which identifies the transaction. */
  | { kind: 'renamed'; signature: string }
  | { kind: 'refused'; refusal: Refusal }
  /** A transfer that names no post and was not reported by its payer in time. */
  | { kind: 'unclaimed'; facts: PaymentFacts };

/**
 * Advances one payment as far as the chain allows: fetch, judge, store, apply. Idempotent in any number of processes.
 * Both the reports of payers and the watcher use it; there is no other way in.
 */
export async function settlePayment(
  context: Needs,
  chain: Chain,
  offer: FeatureOffer,
  signature: string,
): Promise<Settlement> {
  const kept = await context.featuring.payments.find(signature);
  if (kept && kept.state !== 'confirmed' && kept.state !== 'dropped') return { kind: 'settled', payment: kept };
  if (kept?.state === 'confirmed') return { kind: 'settled', payment: await applyPayment(context, kept) };

  const known = context.featuring.refusals.of(signature);
  if (known) return { kind: 'refused', refusal: known };
  const read = readFeaturePayment(await chain.getTransaction(signature, 'confirmed'), offer.terms);
  if (isRefusal(read) && (read.code === 'pending' || read.code === 'unreadable')) {
    return { kind: 'pending', isOnChain: read.code === 'unreadable' };
  }
  if (isRefusal(read) && !('facts' in read)) {
    context.featuring.refusals.keep(signature, read);
    return { kind: 'refused', refusal: read };
  }
  const facts = isRefusal(read) ? read.facts : read;
  // Only the first signature identifies a transaction, whichever was asked for.
  if (facts.signature !== signature) return { kind: 'renamed', signature: facts.signature };

  const received = isRefusal(read) ? read.code : null;
  const claim =
    received === 'several_posts'
      ? { post: null, reason: received, isEnough: true }
      : await findPost(context, offer, facts, kept?.post ?? null);
  if (claim === 'undated') return { kind: 'pending', isOnChain: true };
  if (claim === null) return { kind: 'unclaimed', facts };
  const reason = claim.reason ?? received ?? (claim.isEnough ? await stopReason(context, facts) : 'too_little');
  const found: PaymentDocument = {
    _id: signature,
    state: reason === null ? 'confirmed' : 'credit',
    payer: facts.payer,
    mint: offer.terms.mint,
    baseUnits: String(facts.baseUnits),
    post: claim.post,
    reason,
    slot: facts.slot,
    blockTime: facts.blockTime === null ? null : new Date(facts.blockTime * 1000),
    finalizedAt: null,
    missingSince: null,
    use: null,
    usedOn: null,
    createdAt: context.database.clock.now(),
  };
  await context.ledger.record({ kind: 'payment', payment: found });
  const payment = await context.featuring.payments.keep(found);
  const settled = payment.state === 'confirmed' ? await applyPayment(context, payment) : payment;
  if (settled.state === 'credit') noteCredit(context, settled);
  return { kind: 'settled', payment: settled };
}

/**
 * Why nothing may be featured for the payer at the time of payment. A payment that was sent before a stop is accepted.
 */
async function stopReason(
  { operators, database }: Needs,
  { blockTime, payer }: PaymentFacts,
): Promise<CreditReason | null> {
  const at = blockTime === null ? database.clock.now() : new Date(blockTime * 1000);
  if (await operators.wallets.wasStopped(payer, at)) return 'suspended';
  return (await operators.switches.wasStopped('featuring', at)) ? 'stopped' : null;
}

function noteCredit({ audit }: Needs, { _id, payer, baseUnits, mint, reason }: PaymentDocument): void {
  const after = { state: 'credit', reason, payer, baseUnits, mint };
  audit.note({ actor: { kind: 'system' }, act: 'keep credit', subject: { kind: 'payment', id: _id }, after });
}

/** Features the payment's post, or turns the payment into a credit. Returns the stored payment. */
export async function applyPayment(context: ApplyNeeds, payment: PaymentDocument): Promise<PaymentDocument> {
  const post = payment.post as ObjectId;
  const outcome = await featurePost(context, post, { by: payment._id, payee: payment.payer });
  if (outcome === 'featured') {
    const applied = await context.featuring.payments.markApplied(payment._id);
    if (applied) return applied;
  } else {
    await context.ledger.record({ kind: 'credit', payment: payment._id, reason: outcome });
    await context.featuring.payments.markCredit(payment._id, outcome);
  }
  const kept = (await context.featuring.payments.find(payment._id)) ?? payment;
  // Another process may have turned the payment into a credit just before the post became free. The credit then stands.
  const isCredit = kept.state === 'credit' || kept.state === 'dropped';
  if (outcome === 'featured' && isCredit) await context.posts.store.unfeatureForPayment(post, payment._id);
  return kept;
}

/** Features a post once for `by`, a payment or a use of credits. Idempotent for the same `by`. */
export async function featurePost(
  context: Pick<Needs, 'posts'>,
  post: ObjectId,
  paid: { by: string; payee: string },
): Promise<'featured' | Extract<CreditReason, 'already_featured' | 'post_removed' | 'post_unknown'>> {
  if (await context.posts.store.featureForPayment(post, paid)) return 'featured';
  const found = await context.posts.store.find(post.toHexString());
  if (!found) return 'post_unknown';
  if (isRemoved(found)) return 'post_removed';
  return 'already_featured';
}

interface Claim {
  post: ObjectId | null;
  /** Why the post cannot be featured for any price. */
  reason: CreditReason | null;
  isEnough: boolean;
}

/** The post of a payment: the one in its memo, else the one that its payer reported in time. */
async function findPost(
  context: Needs,
  offer: FeatureOffer,
  facts: PaymentFacts,
  keptFor: ObjectId | null,
): Promise<Claim | 'undated' | null> {
  // A payment that the chain had dropped keeps its post.
  const named = facts.postId ?? keptFor?.toHexString() ?? null;
  const { payments } = context.featuring;
  const report = named === null ? await payments.findReport(facts.signature, facts.payer) : null;
  const id = named ?? report?.post?.toHexString();
  if (id === undefined) return null;
  const [price, post] = await Promise.all([priceOf(context, offer, facts), context.posts.store.find(id)]);
  const terms = { payer: facts.payer, postId: id, baseUnits: price };
  const reportedAt = report?.reportedAt ?? context.database.clock.now();
  const verdict = checkFeaturePayment({ ...facts, postId: named }, terms, reportedAt.getTime());
  if (verdict === 'undated') return verdict;
  if (verdict !== 'ok' && verdict !== 'too_little') return null;
  const isEnough = verdict === 'ok';
  if (!post) return { post: null, reason: 'post_unknown', isEnough };
  return { post: post._id, reason: isRemoved(post) ? 'post_removed' : null, isEnough };
}

/** The price that was shown to the payer. */
async function priceOf(context: Needs, offer: FeatureOffer, facts: PaymentFacts): Promise<bigint> {
  const at = facts.blockTime === null ? context.database.clock.now() : new Date(facts.blockTime * 1000);
  return (await context.featuring.prices.lowestAt(offer.terms.mint, at)) ?? offer.price;
}
