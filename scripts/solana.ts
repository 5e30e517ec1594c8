import { join } from 'node:path';
import { openLocalSolana } from '../packages/local-solana/src/index.ts';

const DEFAULT_PORT = 8899;
/** The local network's error for a port in use. */
const TAKEN = 'is already in use';

export interface Solana {
  /** Settings for the API. */
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/**
 * The network of SOLANA_RPC_URL, or else a local one over `<dataDir>/solana` with a project token that is ready for
 * payments.
 */
export async function openSolana(dataDir: string, log: (line: string) => void): Promise<Solana> {
  const { SOLANA_RPC_URL, SOLANA_RPC_URL_FILE, NODE_ENV } = process.env;
  if (SOLANA_RPC_URL || SOLANA_RPC_URL_FILE || NODE_ENV === 'production') return { env: {}, close: async () => {} };
  const port = readPort();
  const options = { directory: join(dataDir, 'solana'), log };
  const solana = await openLocalSolana({ port: port ?? DEFAULT_PORT, ...options }).catch((error: Error) => {
    if (port !== undefined || !error.message.includes(TAKEN)) throw error;
    return openLocalSolana(options);
  });
  log(`The local Solana network is at ${solana.rpcUrl}`);
  return {
    env: {
      SOLANA_RPC_URL: solana.rpcUrl,
      FEATURE_WALLET: process.env['FEATURE_WALLET'] || solana.featureWallet,
      FEATURE_MINT: process.env['FEATURE_MINT'] || solana.mint,
    },
    close: () => solana.close(),
  };
}

/** The port of LOCAL_SOLANA_PORT; if undefined, any port may replace the default one. */
function readPort(): number | undefined {
  const value = process.env['LOCAL_SOLANA_PORT'];
  if (!value) return undefined;
  const port = Number(value);
  // The WebSocket uses the next higher port.
  if (!/^\d+$/.test(value) || port > 65_534) throw new Error('LOCAL_SOLANA_PORT must be a port number up to 65534');
  return port;
}
