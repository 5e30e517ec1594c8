import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  installForSearch,
  missingForSearch,
  newestVersion,
  openLocalSearch,
} from '../packages/local-search/src/index.ts';
import { runSession } from './session.ts';

/** Fixed ports, so that servers find the nodes after a restart. */
const PORTS: [http: number, transport: number][] = [
  [9201, 9301],
  [9202, 9302],
  [9203, 9303],
];
/** Milliseconds that a killed node stays down. */
const AWAY_MS = 20_000;

/** Runs three nodes of a search cluster on this machine until it is interrupted. */
await runSession(async (onStop) => {
  if (missingForSearch()) installForSearch((line) => console.log(line));
  const missing = missingForSearch();
  if (missing) throw new Error(`The search cluster cannot run here: ${missing}.`);
  const folder = resolve(process.env['DATA_DIR'] || '.data', 'search-cluster');
  console.log(`Starting three nodes of OpenSearch ${newestVersion() === 'new' ? '3.8' : '2.19'} over ${folder}`);
  const cluster = await openLocalSearch({ folder, heapMegabytes: 512, ports: PORTS });
  let isStopping = false;
  onStop(() => {
    isStopping = true;
    return cluster.close();
  });
  const killOf = (at: number) => `kill -9 ${cluster.nodes[at]?.process.pid}`;
  const restartKilled = (at: number) => {
    cluster.nodes[at]?.process.once('exit', async () => {
      if (isStopping) return;
      console.log(`Node n${at + 1} has ended. It is started again after ${AWAY_MS / 1_000} seconds.`);
      await delay(AWAY_MS);
      await cluster.restart(at);
      console.log(`Node n${at + 1} runs again: ${killOf(at)}`);
      restartKilled(at);
    });
  };
  for (const at of cluster.nodes.keys()) restartKilled(at);
  console.log(`The search cluster runs (Ctrl-C stops it). In another terminal:\n  SEARCH_URL=${cluster.url} npm start`);
  console.log('To see a node away, run one of these lines:');
  for (const at of cluster.nodes.keys()) console.log(`  ${killOf(at)}`);
  console.log(`The logs are ${join(folder, 'n1.log')} to n3.log.`);
  await new Promise(() => {});
});
