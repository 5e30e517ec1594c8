import { randomUUID } from 'node:crypto';
import type { AdminPayment } from '@archive/contracts';
import { associatedAccount } from '@archive/solana/chain';
import { isRefusal, readFeaturePayment } from '@archive/solana/verify';
import { AppError } from '../app-error.ts';
import type { Act } from '../audit/audit-entry.ts';
import type { Base } from '../base.ts';
import type { Chain } from '../chain/chain.ts';
import { isHeldForRefund, type PaymentDocument, toAdminPayment } from './payment-document.ts';
import type { PaymentStore } from './payment-store.ts';

type Needs = Pick<Base, 'audit' | 'database' | 'ledger'> & { featuring: { payments: PaymentStore } };
type By = Pick<Act, 'actor' | 'reason' | 'requestId'>;

/** Holds a credit for a refund. The money may be sent only after this. */
export async function holdCredit(context: Needs, id: string, by: By): Promise<AdminPayment> {
  const credit = await findCredit(context, id);
  if (isHeldForRefund(credit)) return toAdminPayment(credit);
  if (credit.use !== null) throw refused('This credit is used, or being used.');
  if (credit.finalizedAt === null) throw refused('The network may still take this payment back.');
  const { payments } = context.featuring;
  // Each hold has its own id, so that a ledger entry about the end of one hold never ends another.
  const use = `refunded:${randomUUID()}`;
  await context.audit.perform(actOn(credit, 'hold credit', by, 'open', 'held'), async () => {
    await context.ledger.record({ kind: 'refund', payment: id, use });
    if (await payments.holdForRefund(id, use)) return;
    await context.ledger.record({ kind: 'refund-undone', payment: id, use });
    throw refused('This credit has just been used.');
  });
  return toAdminPayment(await findCredit(context, id));
}

/** Ends the hold of a credit; refused if it is marked as refunded. */
export async function releaseCredit(context: Needs, id: string, by: By): Promise<AdminPayment> {
  const credit = await findCredit(context, id);
  if (credit.refund) throw refused('This credit is paid back.');
  if (!isHeldForRefund(credit)) return toAdminPayment(credit);
  const { use } = credit;
  await context.audit.perform(actOn(credit, 'release credit', by, 'held', 'open'), async () => {
    await context.ledger.record({ kind: 'refund-undone', payment: id, use });
    if (!(await context.featuring.payments.releaseRefund(id, use))) {
      await context.ledger.record({ kind: 'refund', payment: id, use });
      throw refused('This credit has just been marked as paid back.');
    }
  });
  return toAdminPayment(await findCredit(context, id));
}

/**
 * Marks a held credit as refunded by a transaction. The transaction must be final, pay the full amount in the same
 * token from one of our receiving wallets to the payer, and have refunded no other credit.
 */
export async function markRefunded(
  context: Needs,
  chain: Chain | null,
  id: string,
  transaction: string,
  by: By,
): Promise<AdminPayment> {
  const credit = await findCredit(context, id);
  if (credit.refund?.transaction === transaction) return toAdminPayment(credit);
  if (credit.refund) throw refused('This credit is paid back by another transaction.');
  if (!isHeldForRefund(credit)) throw refused('Hold this credit before you pay it back.');
  if (!chain)
    throw new AppError('chain_unavailable', 'There is no node to ask for the transaction: SOLANA_RPC_URL is not set.');
  if (await context.featuring.payments.isRefund(transaction)) throw usedBefore();
  await requireRefund(context, chain, credit, transaction);
  const act = actOn(credit, 'mark refund', by, 'held', 'refunded');
  await context.audit.perform({ ...act, after: { ...act.after, transaction } }, async () => {
    const refund = { transaction, at: context.database.clock.now() };
    await context.ledger.record({ kind: 'refund-marked', payment: id, refund });
    const marked = await context.featuring.payments.markRefund(id, refund);
    if (marked === true) return;
    await context.ledger.record({ kind: 'refund-unmarked', payment: id, refund });
    throw marked === 'taken'
      ? usedBefore()
      : refused('This credit has just been released, or marked by another transaction.');
  });
  return toAdminPayment(await findCredit(context, id));
}

async function requireRefund(
  { featuring }: Needs,
  chain: Chain,
  credit: PaymentDocument,
  transaction: string,
): Promise<void> {
  const ours = (await featuring.payments.receivers()).filter(({ mint }) => mint === credit.mint);
  const [token] = ours;
  if (!token) throw refused('Nobody knows any more which token this credit was paid in.');
  const fetched = await chain.getTransaction(transaction, 'finalized');
  if (!fetched) throw refused('The network does not show this transaction as final. Try again in a minute.');
  const { mint, tokenProgram, decimals } = token;
  const receiverAccount = associatedAccount(credit.payer, mint, tokenProgram);
  const read = readFeaturePayment(fetched, { mint, tokenProgram, decimals, receiver: credit.payer, receiverAccount });
  if (isRefusal(read)) {
    const failed = read.code === 'failed';
    throw refused(
      failed ? 'This transaction failed on the network.' : 'This transaction pays nothing of this token to the payer.',
    );
  }
  if (read.signature !== transaction) throw refused(`A transaction is named by its first signature: ${read.signature}`);
  if (!ours.some(({ receiver }) => receiver === read.payer)) throw refused('The receiving wallet did not pay this.');
  if (read.slot < credit.slot) throw refused('This transaction is older than the payment.');
  if (read.baseUnits < BigInt(credit.baseUnits))
    throw refused(`This transaction pays ${read.baseUnits} base units back, the credit is ${credit.baseUnits}.`);
}

async function findCredit({ featuring }: Pick<Needs, 'featuring'>, id: string): Promise<PaymentDocument> {
  const kept = await featuring.payments.find(id);
  if (!kept) throw new AppError('not_found', 'There is no such payment.');
  if (kept.state !== 'credit') throw refused(`This payment is no credit: it is ${kept.state}.`);
  return kept;
}

function actOn({ _id, payer, baseUnits }: PaymentDocument, act: string, by: By, from: string, to: string): Act {
  const states = { before: { credit: from }, after: { credit: to, payer, baseUnits } };
  return { ...by, act, subject: { kind: 'payment', id: _id }, ...states };
}

function usedBefore(): AppError {
  return refused('This transaction paid another credit back.');
}

function refused(sentence: string): AppError {
  return new AppError('refund_refused', sentence);
}
