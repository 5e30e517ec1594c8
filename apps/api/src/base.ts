import type { Network } from '@archive/solana/price';
import type { Logger } from 'pino';
import type { Audit } from './audit/audit.ts';
import type { Background } from './background/background.ts';
import type { Chain } from './chain/chain.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { LedgerWriter } from './ledger/ledger-entry.ts';
import type { Outbound } from './outbound/outbound.ts';

/** What every feature depends on. */
export interface Base {
  config: Config;
  log: Logger;
  /** Milliseconds since 1970 by the database's clock, to within a round trip. */
  now: () => number;
  database: Database;
  /** Written before the database, so that a restore does not undo an act. */
  ledger: LedgerWriter;
  /** The audit log. */
  audit: Audit;
  /** Null if no node is configured. */
  chain: Chain | null;
  /** The only way to call addresses that others have given. */
  outbound: Outbound;
  /** A factory adds the services that must be started and stopped. */
  background: Background;
}

/** The network of the nodes. Before they have answered, the default of this kind of process. */
export function servedNetwork({ chain, config }: Pick<Base, 'chain' | 'config'>): Network {
  return chain?.network ?? (config.isProduction ? 'mainnet' : 'localnet');
}
