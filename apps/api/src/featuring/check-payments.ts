import { isRefusal, type PaymentFacts, type ReceiverTerms, readFeaturePayment } from '@archive/solana/verify';
import type { Chain } from '../chain/chain.ts';
import { isRemoved } from '../posts/post-document.ts';
import type { PostStore } from '../posts/post-store.ts';
import type { CreditUse, PaymentDocument } from './payment-document.ts';
import type { PaymentStore } from './payment-store.ts';
import { namesPost } from './payment-watcher.ts';

/** Longest time that a payment may be under way. */
const SETTLING_MS = 120_000;

export interface PaymentsReport {
  payments: number;
  /** Payments read from the chain; null if the chain was not asked. */
  onChain: number | null;
  /** One message for each difference. */
  differences: string[];
}

interface Needs {
  posts: PostStore;
  payments: PaymentStore;
  /** The chain to compare with, if it can be asked. */
  chain: Chain | null;
  now: Date;
}

/**
 * Checks that every payment was applied once or is a credit, and that nothing is featured without a payment. With a
 * chain, every payment on it must be stored here, and every payment stored here must be on it.
 */
export async function checkPayments(needs: Needs): Promise<PaymentsReport> {
  const report = await checkOnce(needs);
  if (report.differences.length === 0) return report;
  // A running server may change something during a check. So only differences found twice count.
  const again = await checkOnce(needs);
  return { ...again, differences: again.differences.filter((line) => report.differences.includes(line)) };
}

async function checkOnce(needs: Needs): Promise<PaymentsReport> {
  const { payments: store } = needs;
  const [payments, uses] = await Promise.all([store.payments.find().toArray(), store.uses.find().toArray()]);
  const differences = [
    ...(await checkPosts(needs, payments, uses)),
    ...(await checkApplied(needs, payments)),
    ...checkUses(payments, uses, needs.now),
  ];
  const onChain = needs.chain ? await checkChain(needs, needs.chain, payments, differences) : null;
  return { payments: payments.length, onChain, differences };
}

/** Checks that every featured post with a payment has an existing one. */
async function checkPosts({ posts: store }: Needs, payments: PaymentDocument[], uses: CreditUse[]): Promise<string[]> {
  const differences: string[] = [];
  const paying = new Map<string, { post: { toHexString(): string } | null; isDone: boolean }>();
  for (const { _id, post, state } of payments) {
    paying.set(_id, { post, isDone: state !== 'dropped' && state !== 'credit' });
  }
  for (const { _id, post, state } of uses)
    paying.set(_id, { post, isDone: state === 'applying' || state === 'applied' });
  for await (const post of store.readPaid()) {
    if (!post.featuredPayment) continue;
    const payment = paying.get(post.featuredPayment);
    const isItsOwn = payment?.isDone && payment.post?.toHexString() === post._id.toHexString();
    if (!isItsOwn) differences.push(`post ${post._id} is featured without a payment (${post.featuredPayment})`);
  }
  return differences;
}

/**
 * Checks that every applied payment features its post, unless the post was removed or the team has ended the featuring.
 */
async function checkApplied({ posts: store, now }: Needs, payments: PaymentDocument[]): Promise<string[]> {
  const differences: string[] = [];
  for (const { _id, state, post: id, createdAt } of payments) {
    if (state === 'confirmed' && now.getTime() - createdAt.getTime() > SETTLING_MS) {
      differences.push(`payment ${_id} was left half-way`);
    }
    if ((state !== 'applied' && state !== 'finalized') || !id) continue;
    const post = await store.find(id.toHexString());
    if (!post) differences.push(`payment ${_id} was applied to post ${id}, which does not exist`);
    else if (!isRemoved(post) && post.featuredPayment !== _id && !post.endedPayments?.includes(_id)) {
      differences.push(`payment ${_id} was applied and does not feature post ${id}`);
    }
  }
  return differences;
}

/** Checks that every credit was used at most once, by an applied use, and that its change is kept. */
function checkUses(payments: PaymentDocument[], uses: CreditUse[], now: Date): string[] {
  const differences: string[] = [];
  const byId = new Map(payments.map((payment) => [payment._id, payment]));
  for (const use of uses) {
    const spent = payments.filter((payment) => payment.use === use._id);
    const isOld = now.getTime() - use.changedAt.getTime() > SETTLING_MS;
    if (use.state === 'applied') {
      const left = spent.reduce((sum, { baseUnits }) => sum + BigInt(baseUnits), 0n) - BigInt(use.price);
      const change = BigInt(byId.get(`change:${use._id}`)?.baseUnits ?? 0);
      if (left !== change) differences.push(`use ${use._id} of credits left ${left} and keeps ${change}`);
      if (spent.some(({ usedOn }) => !usedOn?.equals(use.post))) {
        differences.push(`use ${use._id} holds credits that are not marked as used`);
      }
    } else if (isOld && (use.state !== 'released' || spent.length > 0)) {
      differences.push(`use ${use._id} of credits was left ${use.state}`);
    }
  }
  return differences;
}

/** Reads the whole history of every receiving account. Returns the number of payments in it. */
async function checkChain(
  { payments: store, now }: Needs,
  chain: Chain,
  payments: PaymentDocument[],
  differences: string[],
): Promise<number> {
  const kept = new Map(payments.map((payment) => [payment._id, payment]));
  const seen = new Set<string>();
  for (const terms of await store.receivers()) {
    for await (const facts of readPayments(chain, terms)) {
      seen.add(facts.signature);
      const payment = kept.get(facts.signature);
      const isFresh = facts.blockTime !== null && now.getTime() - facts.blockTime * 1000 < SETTLING_MS;
      if (!payment || payment.state === 'dropped') {
        if (!isFresh) differences.push(`payment ${facts.signature} is on the chain and is not kept`);
      } else if (payment.baseUnits !== String(facts.baseUnits) || payment.payer !== facts.payer) {
        differences.push(`payment ${facts.signature} is kept with another amount or payer than on the chain`);
      }
    }
  }
  for (const { _id, state, reason, finalizedAt, createdAt } of payments) {
    if (state === 'dropped' || reason === 'change' || seen.has(_id)) continue;
    // A payment without our memo cannot be found by its memo.
    if ((await chain.getTransaction(_id, 'confirmed'))?.meta?.err === null) continue;
    const isWatched = finalizedAt === null && now.getTime() - createdAt.getTime() < SETTLING_MS;
    if (!isWatched) differences.push(`payment ${_id} is kept as ${state} and is not on the chain`);
  }
  return seen.size;
}

async function* readPayments(chain: Chain, terms: ReceiverTerms): AsyncGenerator<PaymentFacts> {
  for await (const rows of chain.historyOf(terms.receiverAccount, null)) {
    for (const row of rows) {
      if (row.err !== null || !namesPost(row.memo)) continue;
      const read = readFeaturePayment(await chain.getTransaction(row.signature, 'confirmed'), terms);
      if (!isRefusal(read)) yield read;
      else if ('facts' in read) yield read.facts;
    }
  }
}
