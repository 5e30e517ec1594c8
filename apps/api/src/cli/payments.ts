import type { PaymentListState } from '@archive/contracts';
import type { Database } from '../db/database.ts';
import { listPayments } from '../featuring/list-payments.ts';
import { PaymentStore } from '../featuring/payment-store.ts';

/** Prints the latest payments and credits, one a line, with the id that `refund` takes. */
export async function showPayments({ db }: Database, state: PaymentListState | undefined): Promise<boolean> {
  const { data } = await listPayments({ featuring: { payments: new PaymentStore(db) } }, { state });
  for (const { _id, state: own, baseUnits, payer, createdAt, reason, archiveId } of data) {
    const what = [reason, archiveId && `post ${archiveId}`].filter(Boolean).join('  ');
    process.stdout.write(`${createdAt}  ${own.padEnd(9)}  ${baseUnits} base units  from ${payer}  ${_id}  ${what}\n`);
  }
  process.stderr.write(`${data.length} shown.\n`);
  return true;
}
