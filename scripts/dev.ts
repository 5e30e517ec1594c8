import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../apps/api/src/config.ts';
import { PRODUCT_NAME } from '../packages/contracts/src/index.ts';
import { type ApiProcess, startApi } from './api-process.ts';
import { buildProduct } from './build-product.ts';
import { openDatabase } from './database.ts';
import { ROOT, run, startNode, stopProcess } from './processes.ts';
import { importSampleIfEmpty } from './sample-archive.ts';
import { runSession } from './session.ts';
import { openSolana } from './solana.ts';

const WEB_PORT = 5173;
const WATCHED = ['apps/api/src', 'packages/contracts/src', 'packages/solana/src'];
/** Editors write a file in several steps. */
const SETTLE_MS = 100;

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

  // Sign-in texts name the address people stand on, which is the web's own server.
  const env = { ...solana.env, PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://localhost:${WEB_PORT}` };
  const options = { port, mongodbUri: database.uri, dataDir, env, onProgress: say };
  let api: ApiProcess | undefined = await startApi(options);
  onStop(async () => api?.stop());
  await importSampleIfEmpty(api.url, database.uri, dataDir, say);

  const web = startWeb(api.url);
  onStop(() => stopProcess(web));
  const watchers = watchSources(async () => {
    const build = await run(process.execPath, ['build.mjs'], { cwd: join(ROOT, 'apps/api'), quiet: true });
    if (build.code !== 0) return say(build.output);
    await api?.stop();
    api = await startApi(options).catch((error: Error) => {
      say(error.message);
      return undefined;
    });
    if (api) say('The API has restarted');
  });
  onStop(async () => watchers.forEach((watcher) => void watcher.close()));

  say(
    `${PRODUCT_NAME} is running at http://localhost:${WEB_PORT} with hot reload (Ctrl-C stops it; the API's log is ${api.log})`,
  );
  await new Promise((resolve) => web.once('exit', resolve));
  throw new Error('The development server of the web has ended.');
});

function startWeb(apiUrl: string) {
  const vite = join(ROOT, 'apps/web/node_modules/vite/bin/vite.js');
  const web = startNode([vite, '--configLoader', 'runner', '--port', String(WEB_PORT), '--strictPort'], {
    cwd: join(ROOT, 'apps/web'),
    env: { ...process.env, API_ORIGIN: apiUrl },
  });
  web.stdout?.pipe(process.stdout);
  web.stderr?.pipe(process.stderr);
  return web;
}

/** Calls back after each change, one call at a time; changes during a call lead to one more. */
function watchSources(onChange: () => Promise<void>): FSWatcher[] {
  let work = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(onChange);
    }, SETTLE_MS);
  };
  return WATCHED.map((folder) => watch(join(ROOT, folder), { recursive: true }, changed));
}

function say(line: string): void {
  console.log(line);
}
