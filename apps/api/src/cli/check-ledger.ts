import { ArchiveStore } from '../archives/archive-store.ts';
import { Chain } from '../chain/chain.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { checkPayments } from '../featuring/check-payments.ts';
import { PaymentStore } from '../featuring/payment-store.ts';

const SHOWN = 20;

/** Compares payments with what they did, and with the chain where SOLANA_RPC_URL names a node. */
export async function checkLedger({ db, clock }: Database, config: Pick<Config, 'solanaRpcUrls'>): Promise<boolean> {
  const { payments, onChain, differences } = await checkPayments({
    archives: new ArchiveStore(db, clock),
    payments: new PaymentStore(db),
    chain: config.solanaRpcUrls.length > 0 ? new Chain(config.solanaRpcUrls) : null,
    now: clock.now(),
  });
  for (const difference of differences.slice(0, SHOWN)) process.stdout.write(`  ${difference}\n`);
  const compared = onChain === null ? 'the chain was not asked, SOLANA_RPC_URL names none' : `${onChain} on the chain`;
  const outcome =
    differences.length === 0 ? 'all applied once or kept as a credit' : `${differences.length} differences`;
  process.stdout.write(`${payments.toLocaleString('en-US')} payments checked (${compared}): ${outcome}\n`);
  return differences.length === 0;
}
