import { Chain } from '../chain/chain.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { checkPayments } from '../featuring/check-payments.ts';
import { PaymentStore } from '../featuring/payment-store.ts';
import { checkLaunches } from '../launches/check-launches.ts';
import { LaunchStore } from '../launches/launch-store.ts';
import { PostStore } from '../posts/post-store.ts';

const SHOWN = 20;

/** Compares payments and launches with their posts, and with the chain if SOLANA_RPC_URL names a node. */
export async function checkPaymentsAndTokens(
  { db, clock }: Database,
  { solanaRpcUrls }: Pick<Config, 'solanaRpcUrls'>,
): Promise<boolean> {
  const chain = solanaRpcUrls.length > 0 ? new Chain(solanaRpcUrls) : null;
  const needs = { posts: new PostStore(db, clock), chain, now: clock.now() };
  const payments = await checkPayments({ ...needs, payments: new PaymentStore(db) });
  report(`${payments.payments.toLocaleString('en-US')} payments`, payments, 'all applied once or kept as a credit');
  const launches = await checkLaunches({ ...needs, launches: new LaunchStore(db) });
  report(`${launches.launches.toLocaleString('en-US')} launches`, launches, 'posts and tokens agree');
  return payments.differences.length + launches.differences.length === 0;
}

function report(what: string, found: { onChain: number | null; differences: string[] }, allIsWell: string): void {
  const { onChain, differences } = found;
  for (const difference of differences.slice(0, SHOWN)) process.stdout.write(`  ${difference}\n`);
  const compared = onChain === null ? 'the chain was not asked, SOLANA_RPC_URL names none' : `${onChain} on the chain`;
  const outcome = differences.length === 0 ? allIsWell : `${differences.length} differences`;
  process.stdout.write(`${what} checked (${compared}): ${outcome}\n`);
}
