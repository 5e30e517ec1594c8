import type { Network } from '@archive/solana/price';
import type { Logger } from 'pino';
import type { Audit } from './audit/audit.ts';
import type { Background } from './background/background.ts';
import type { Chain } from './chain/chain.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { LedgerWriter } from './ledger/ledger-entry.ts';
import type { Outbound } from './outbound/outbound.ts';

/** What every feature stands on. */
export interface Base {
  config: Config;
  log: Logger;
  /** Milliseconds since 1970 by the database's clock, to a round trip. */
  now: () => number;
  database: Database;
  /** Written before the database where a restore must not undo what is done. */
  ledger: LedgerWriter;
  /** The log of acts: who did what to what. */
  audit: Audit;
  /** Absent where no node is configured. */
  chain: Chain | null;
  /** Through which alone addresses are asked that others give. */
  outbound: Outbound;
  /** A factory adds what it wants started and stopped. */
  background: Background;
}

/** The network of the nodes; before they have answered, the one that such a process is expected to be on. */
export function servedNetwork({ chain, config }: Pick<Base, 'chain' | 'config'>): Network {
  return chain?.network ?? (config.isProduction ? 'mainnet' : 'localnet');
}
