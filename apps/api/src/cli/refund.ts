import type { Database } from '../db/database.ts';
import { PaymentStore } from '../featuring/payment-store.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';

/** Holds a credit whose payer is paid back by hand; false where it is not there, not final yet, or used. */
export async function refund(
  { db }: Database,
  ledger: LedgerWriter,
  credit: string,
  transaction: string,
): Promise<boolean> {
  const payments = new PaymentStore(db);
  const use = `refunded:${transaction}`;
  const kept = await payments.find(credit);
  if (kept?.state !== 'credit' || kept.use !== null || kept.finalizedAt === null) {
    const why = kept?.state !== 'credit' ? 'no credit' : kept.use ? `held already (${kept.use})` : 'not final yet';
    process.stdout.write(`${credit} is ${why}. Do not send the money.\n`);
    return false;
  }
  await ledger.record({ kind: 'refund', payment: credit, use });
  const isHeld = await payments.holdForRefund(credit, use);
  if (!isHeld) await ledger.record({ kind: 'refund-undone', payment: credit, use });
  process.stdout.write(isHeld ? `${credit} is held. Now send the money.\n` : `${credit} has just been used.\n`);
  return isHeld;
}
