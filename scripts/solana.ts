import { join } from 'node:path';
import { openLocalSolana } from '../packages/local-solana/src/index.ts';
import { refuseTakenPort } from '../packages/processes/src/index.ts';

const DEFAULT_PORT = 8899;

export interface Solana {
  /** Settings for the API. */
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/**
 * The network that SOLANA_RPC_URL names, else a local one over `<dataDir>/solana` with a project token that can be paid
 * with at once.
 */
export async function openSolana(dataDir: string, log: (line: string) => void): Promise<Solana> {
  const { SOLANA_RPC_URL, SOLANA_RPC_URL_FILE, NODE_ENV } = process.env;
  if (SOLANA_RPC_URL || SOLANA_RPC_URL_FILE || NODE_ENV === 'production') return { env: {}, close: async () => {} };
  const port = readPort() ?? ((await isFree(DEFAULT_PORT)) ? DEFAULT_PORT : undefined);
  const solana = await openLocalSolana({ ...(port && { port }), directory: join(dataDir, 'solana'), log });
  if (!port) log(`Port ${DEFAULT_PORT} is taken: the local Solana network is at ${solana.rpcUrl}`);
  return {
    env: {
      SOLANA_RPC_URL: solana.rpcUrl,
      FEATURE_WALLET: process.env['FEATURE_WALLET'] || solana.featureWallet,
      FEATURE_MINT: process.env['FEATURE_MINT'] || solana.mint,
    },
    close: () => solana.close(),
  };
}

/** The WebSocket answers one above a port. */
async function isFree(port: number): Promise<boolean> {
  const refusals = await Promise.allSettled([refuseTakenPort(port), refuseTakenPort(port + 1)]);
  return refusals.every(({ status }) => status === 'fulfilled');
}

/** The port that is asked for; undefined: any will do. */
function readPort(): number | undefined {
  const value = process.env['LOCAL_SOLANA_PORT'];
  if (!value) return undefined;
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_534) throw new Error('LOCAL_SOLANA_PORT must be a port number up to 65534');
  return port;
}
