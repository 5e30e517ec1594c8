import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalSolana } from '../packages/local-solana/src/index.ts';
import { freePort, startApi } from '../scripts/api-process.ts';
import { openDatabase } from '../scripts/database.ts';
import { runScript } from '../scripts/processes.ts';
import { FEATURED_ID, posts } from './posts.ts';

const CLI = 'apps/api/src/cli/main.ts';
/** Half as long as those of the real network: confirmations and expiry come sooner. */
const SLOT_MS = 200;

/**
 * Starts the built product over an empty folder, with the posts of `posts.ts` and a local Solana network; answers how to
 * stop it.
 */
export default async function startProduct(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'product-e2e-'));
  const database = await openDatabase(dataDir, () => {});
  const solana = await openLocalSolana({ slotMs: SLOT_MS });
  const env = { MONGODB_URI: database.uri, DATA_DIR: dataDir };
  const file = join(dataDir, 'posts.ndjson');
  await writeFile(
    file,
    posts(new Date())
      .map((post) => `${JSON.stringify(post)}\n`)
      .join(''),
  );
  await amber(['import', file], env);
  await amber(['feature', FEATURED_ID], env);
  const api = await startApi({
    port: await freePort(),
    mongodbUri: database.uri,
    dataDir,
    env: {
      RATE_LIMITS: 'off',
      SOLANA_RPC_URL: solana.rpcUrl,
      PUBLIC_SOLANA_RPC_URL: solana.rpcUrl,
      FEATURE_WALLET: solana.featureWallet,
      FEATURE_MINT: solana.mint,
    },
  });
  process.env['PRODUCT_URL'] = api.url;
  return async () => {
    await api.stop();
    await solana.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function amber(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { code, output } = await runScript(CLI, args, { env, quiet: true, timeoutMs: 60_000 });
  if (code !== 0) throw new Error(`"${args[0]}" failed:\n${output}`);
}
