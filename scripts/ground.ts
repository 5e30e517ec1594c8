import { mkdirSync } from 'node:fs';
import { leaveSettings } from '../apps/api/src/cli/running-settings.ts';
import { readConfig, readDatabaseUri } from '../apps/api/src/config.ts';
import { refuseTakenPort } from '../packages/processes/src/index.ts';
import { buildProduct } from './build-product.ts';
import { openDatabase } from './database.ts';
import { openSolana } from './solana.ts';

/** Builds the product and opens the services that the API needs. `onStop` receives the functions that close them. */
export async function openGround(onStop: (stop: () => Promise<void>) => void, say: (line: string) => void) {
  const dataDir = process.env['DATA_DIR'] ?? '.data';
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Reports a wrong setting before the build; the database opens later.
  const uri = readDatabaseUri(process.env) ?? 'mongodb://embedded';
  const { port } = readConfig({ ...process.env, MONGODB_URI: uri, MONGODB_URI_FILE: undefined });
  await refuseTakenPort(port);
  say('Building');
  const [database] = await Promise.all([openDatabase(dataDir, say), buildProduct()]);
  onStop(database.close);
  const solana = await openSolana(dataDir, say);
  onStop(solana.close);
  const takeBack = leaveSettings(dataDir, process.env, solana.env);
  onStop(async () => takeBack());
  return { port, dataDir, mongodbUri: database.uri, env: solana.env };
}
