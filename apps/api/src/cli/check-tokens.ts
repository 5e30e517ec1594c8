import { ArchiveStore } from '../archives/archive-store.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { checkLaunches } from '../launches/check-launches.ts';
import { LaunchChain } from '../launches/launch-chain.ts';
import { LaunchStore } from '../launches/launch-store.ts';

const SHOWN = 20;

/** Compares launches with their posts, and with the chain where SOLANA_RPC_URL names a node. */
export async function checkTokens({ db, clock }: Database, config: Pick<Config, 'solanaRpcUrls'>): Promise<boolean> {
  const { launches, onChain, differences } = await checkLaunches({
    archives: new ArchiveStore(db, clock),
    launches: new LaunchStore(db),
    chain: config.solanaRpcUrls.length > 0 ? new LaunchChain(config.solanaRpcUrls) : null,
    now: clock.now(),
  });
  for (const difference of differences.slice(0, SHOWN)) process.stdout.write(`  ${difference}\n`);
  const compared = onChain === null ? 'the chain was not asked, SOLANA_RPC_URL names none' : `${onChain} on the chain`;
  const outcome = differences.length === 0 ? 'posts and tokens agree' : `${differences.length} differences`;
  process.stdout.write(`${launches.toLocaleString('en-US')} launches checked (${compared}): ${outcome}\n`);
  return differences.length === 0;
}
