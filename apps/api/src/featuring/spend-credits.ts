import { randomUUID } from 'node:crypto';
import type { Post } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import { findStop, findSuspension } from '../operators/operators.ts';
import { findLivePost, findPost } from '../posts/live-post.ts';
import type { Reactions } from '../reactions/reactions.ts';
import type { FeatureOffer } from './feature-offer.ts';
import type { CreditUse, PaymentDocument } from './payment-document.ts';
import type { PaymentStore } from './payment-store.ts';
import { type ApplyNeeds, featurePost, type Needs } from './settle-payment.ts';

/** A use without progress for this long is settled by another process. */
const ABANDONED_MS = 15_000;
const MAX_USABLE = 500;

/** Features a post with a wallet's credits: with the smallest sufficient credit, else with several. */
export async function spendCredits(
  context: Needs & { reactions: Pick<Reactions, 'store'> },
  offer: FeatureOffer,
  wallet: string,
  id: string,
): Promise<Post> {
  const refusal = (await findSuspension(context.operators, wallet)) ?? (await findStop(context.operators, 'featuring'));
  if (refusal) throw refusal;
  const post = await findLivePost(context.posts.store, id);
  const paid =
    post.featuredPayment && (await context.featuring.payments.uses.findOne({ _id: post.featuredPayment, wallet }));
  // The call repeats a finished use, for example because its answer was lost.
  if (paid) return findPost(context, post._id.toHexString());
  if (post.featured) throw alreadyFeatured();
  const now = context.database.clock.now();
  const price = (await context.featuring.prices.lowestAt(offer.terms.mint, now)) ?? offer.price;
  const chosen = choose(await usable(context, wallet, offer.terms.mint), price);
  if (!chosen) throw new AppError('not_enough_credit', 'Your credits are less than the price of featuring.');
  const use: CreditUse = {
    _id: `use:${randomUUID()}`,
    wallet,
    post: post._id,
    price: String(price),
    credits: chosen.map(({ _id }) => _id),
    state: 'claiming',
    changedAt: now,
  };
  await context.featuring.payments.uses.insertOne(use);
  if (!(await claim(context, use))) {
    await release(context, use, 'claiming');
    throw new AppError('payment_used', 'These credits are being used for another post.');
  }
  if (!(await completeUse(context, use))) throw alreadyFeatured();
  return findPost(context, post._id.toHexString());
}

/** Completes or releases uses that a crash has interrupted. */
export async function settleUses(context: ApplyNeeds): Promise<void> {
  const { uses } = context.featuring.payments;
  const before = new Date(context.database.clock.now().getTime() - ABANDONED_MS);
  for (const use of await uses.find({ state: 'applying', changedAt: { $lt: before } }).toArray()) {
    await completeUse(context, use);
  }
  await giveBack(context, before);
}

/** Releases the credits of failed uses without progress since `before`; without `before`, of all failed uses. */
export async function giveBack(context: ApplyNeeds, before?: Date): Promise<void> {
  const { payments, uses } = context.featuring.payments;
  const left = { $in: ['claiming', 'releasing'] as CreditUse['state'][] };
  for (const use of await uses.find({ state: left, ...(before && { changedAt: { $lt: before } }) }).toArray()) {
    await release(context, use, use.state as 'claiming' | 'releasing');
  }
  // A credit that was claimed after its use had been released.
  const held = payments.find({ state: 'credit', use: /^use:/, usedOn: null });
  for await (const { _id, use: id } of held) {
    const use = await uses.findOne({ _id: id as string });
    if (use?.state === 'released') await payments.updateOne({ _id, use: id }, { $set: { use: null } });
  }
}

/** Claims every credit of a use. Returns false if one is not free. After a success the use can only be completed. */
async function claim({ featuring: { payments }, database, ledger }: Needs, use: CreditUse): Promise<boolean> {
  for (const _id of use.credits) {
    const { modifiedCount } = await payments.payments.updateOne(
      { _id, payer: use.wallet, state: 'credit', finalizedAt: { $ne: null }, use: null },
      { $set: { use: use._id } },
    );
    if (modifiedCount !== 1) return false;
  }
  await ledger.record({ kind: 'use', use });
  return move(payments, use, ['claiming'], 'applying', database.clock.now());
}

/** Features the post and returns true, or releases the credits and returns false. Idempotent. */
export async function completeUse(context: ApplyNeeds, use: CreditUse): Promise<boolean> {
  const outcome = await featurePost(context, use.post, { by: use._id, payee: use.wallet });
  const kept = await context.featuring.payments.uses.findOne({ _id: use._id });
  if (outcome !== 'featured') {
    // An applied use stays applied, even if its post is gone.
    if (kept?.state !== 'applied') await release(context, use, 'applying');
    return false;
  }
  if (kept?.state === 'releasing' || kept?.state === 'released') {
    // Another process released the credits just before the post became free.
    await context.posts.store.unfeatureForPayment(use.post, use._id);
    return false;
  }
  await finishUse(context, use);
  return true;
}

/** Marks the credits as spent, since the post is or was featured. */
export async function finishUse(context: ApplyNeeds, use: CreditUse): Promise<void> {
  await context.featuring.payments.payments.updateMany({ use: use._id }, { $set: { usedOn: use.post } });
  await keepChange(context, use);
  await move(context.featuring.payments, use, ['applying'], 'applied', context.database.clock.now());
}

/** Keeps the excess of the credits over the price as a new credit. */
async function keepChange({ featuring: { payments }, database }: ApplyNeeds, use: CreditUse): Promise<void> {
  const spent = await payments.payments.find({ use: use._id }).toArray();
  const change = sum(spent) - BigInt(use.price);
  const [newest] = spent;
  if (change <= 0n || !newest) return;
  const now = database.clock.now();
  await payments.keep({
    ...newest,
    _id: `change:${use._id}`,
    baseUnits: String(change),
    reason: 'change',
    post: null,
    finalizedAt: now,
    use: null,
    usedOn: null,
    createdAt: now,
  });
}

async function release(
  context: ApplyNeeds,
  use: CreditUse,
  from: 'claiming' | 'applying' | 'releasing',
): Promise<void> {
  const { featuring, database, ledger } = context;
  const { payments } = featuring;
  // A use that was interrupted during its claim may be in the ledger already.
  await ledger.record({ kind: 'use-released', use: use._id });
  if (!(await move(payments, use, [from, 'releasing'], 'releasing', database.clock.now()))) return;
  await payments.payments.updateMany({ use: use._id, usedOn: null }, { $set: { use: null } });
  await move(payments, use, ['releasing'], 'released', database.clock.now());
}

async function move(
  payments: PaymentStore,
  use: CreditUse,
  from: CreditUse['state'][],
  to: CreditUse['state'],
  changedAt: Date,
): Promise<boolean> {
  const { matchedCount } = await payments.uses.updateOne(
    { _id: use._id, state: { $in: from } },
    { $set: { state: to, changedAt } },
  );
  return matchedCount === 1;
}

async function usable({ featuring: { payments } }: Needs, payer: string, mint: string): Promise<PaymentDocument[]> {
  return payments.payments
    .find({ payer, mint, state: 'credit', finalizedAt: { $ne: null }, use: null })
    .limit(MAX_USABLE)
    .toArray();
}

/** The smallest single credit that covers the price, else the fewest credits together; null if all are not enough. */
function choose(credits: readonly PaymentDocument[], price: bigint): PaymentDocument[] | null {
  const ascending = credits.toSorted((a, b) => compare(BigInt(a.baseUnits), BigInt(b.baseUnits)));
  const single = ascending.find(({ baseUnits }) => BigInt(baseUnits) >= price);
  if (single) return [single];
  const chosen: PaymentDocument[] = [];
  for (const credit of ascending.toReversed()) {
    chosen.push(credit);
    if (sum(chosen) >= price) return chosen;
  }
  return null;
}

function sum(credits: readonly PaymentDocument[]): bigint {
  return credits.reduce((all, { baseUnits }) => all + BigInt(baseUnits), 0n);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}

function alreadyFeatured(): AppError {
  return new AppError('already_featured', 'This post is featured already. Nothing was used.');
}
