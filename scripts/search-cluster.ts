import { join, resolve } from 'node:path';
import {
  installForSearch,
  missingForSearch,
  newestVersion,
  openLocalSearch,
} from '../packages/local-search/src/index.ts';
import { runSession } from './session.ts';

/** Three nodes of a search cluster on this machine, until it is interrupted. */
await runSession(async (onStop) => {
  if (missingForSearch()) installForSearch((line) => console.log(line));
  const missing = missingForSearch();
  if (missing) throw new Error(`The search cluster cannot run here: ${missing}.`);
  const folder = resolve(process.env['DATA_DIR'] || '.data', 'search-cluster');
  console.log(`Starting three nodes of OpenSearch ${newestVersion() === 'new' ? '3.8' : '2.19'} over ${folder}`);
  const cluster = await openLocalSearch({ folder, heapMegabytes: 512 });
  onStop(() => cluster.close());
  console.log(`The search cluster runs (Ctrl-C stops it). In another terminal:\n  SEARCH_URL=${cluster.url} npm start`);
  console.log(`The logs are ${join(folder, 'n1.log')} to n3.log.`);
  await new Promise(() => {});
});
