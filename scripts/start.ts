import { mkdirSync } from 'node:fs';
import { readConfig } from '../apps/api/src/config.ts';
import { PRODUCT_NAME } from '../packages/contracts/src/index.ts';
import { startApi } from './api-process.ts';
import { buildProduct } from './build-product.ts';
import { openDatabase } from './database.ts';
import { importSampleIfEmpty } from './sample-archive.ts';
import { runSession } from './session.ts';
import { openSolana } from './solana.ts';

await runSession(async (onStop) => {
  const dataDir = process.env['DATA_DIR'] ?? '.data';
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // A wrong setting is told before anything is built; the database comes later.
  const { port } = readConfig({ ...process.env, MONGODB_URI: process.env['MONGODB_URI'] || 'mongodb://embedded' });

  say('Building');
  const [database] = await Promise.all([openDatabase(dataDir, say), buildProduct()]);
  onStop(database.close);
  const solana = await openSolana(dataDir, say);
  onStop(solana.close);

  say('Starting the API');
  const api = await startApi({ port, mongodbUri: database.uri, dataDir, env: solana.env, onProgress: say });
  onStop(api.stop);

  if (process.env['NODE_ENV'] !== 'production') await importSampleIfEmpty(api.url, database.uri, dataDir, say);
  say(`${PRODUCT_NAME} is running at ${api.url} (Ctrl-C stops it; its log is ${api.log})`);
  await api.ended;
  throw new Error(`The API has ended; its log is ${api.log}.`);
});

function say(line: string): void {
  console.log(line);
}
