import type { Audit } from '../audit/audit.ts';
import { Chain } from '../chain/chain.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { isHeldForRefund } from '../featuring/payment-document.ts';
import { PaymentStore } from '../featuring/payment-store.ts';
import { holdCredit, markRefunded, releaseCredit } from '../featuring/refund-credit.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { change, type Why } from './operators.ts';

export type RefundOptions = Why & { release?: boolean };

interface Context {
  database: Database;
  ledger: LedgerWriter;
  audit: Audit;
  config: Config;
}

/**
 * Takes the next step of a refund: holds the credit, or marks a held credit once the transaction is on the chain.
 * `release` ends the hold instead.
 */
export async function refund(
  { database, ledger, audit, config }: Context,
  credit: string,
  transaction: string | undefined,
  { release, ...why }: RefundOptions,
): Promise<boolean> {
  const payments = new PaymentStore(database.db);
  const context = { database, ledger, audit, featuring: { payments } };
  return change(async (by) => {
    if (release) {
      await releaseCredit(context, credit, by);
      return `${credit} is its payer's to use again.`;
    }
    const kept = await payments.find(credit);
    if (kept && isHeldForRefund(kept) && transaction !== undefined) {
      const chain = config.solanaRpcUrls.length > 0 ? new Chain(config.solanaRpcUrls) : null;
      await markRefunded(context, chain, credit, transaction, by);
      return `${credit} is paid back.`;
    }
    await holdCredit(context, credit, by);
    return `${credit} is held. Now send the money, then name its transaction here.`;
  }, why);
}
