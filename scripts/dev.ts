import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT_NAME } from '../packages/contracts/src/index.ts';
import {
  type ApiProcess,
  ROOT,
  run,
  startApi,
  startNode,
  stopProcess,
  TURBO,
} from '../packages/processes/src/index.ts';
import { openGround } from './ground.ts';
import { importSampleIfEmpty } from './sample-archive.ts';
import { runSession } from './session.ts';

const WEB_PORT = readPort('WEB_PORT', 5173);
const DEBUG_PORT = readPort('DEBUG_PORT', 9229);
const WATCHED = ['apps/api/src', 'packages/contracts/src', 'packages/solana/src'];
const TYPED = [...WATCHED, 'apps/web/src', 'packages/client/src'];
/** The level of warnings in pino. */
const WARNING = 40;
/** Milliseconds to wait, because editors write a file in several steps. */
const SETTLE_MS = 100;

await runSession(async (onStop) => {
  const ground = await openGround(onStop, say);
  const options = {
    ...ground,
    // Sign-in messages contain the address in the browser, which is the web's development server.
    env: { ...ground.env, PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://localhost:${WEB_PORT}` },
    debugPort: DEBUG_PORT,
    onProgress: say,
    onLog: echoWarning,
  };
  let api: ApiProcess | undefined = await startApi(options);
  onStop(async () => api?.stop());
  await importSampleIfEmpty(api.url, ground.mongodbUri, ground.dataDir, say);

  const web = startWeb(api.url);
  onStop(() => stopProcess(web));
  const watchers = watchSources(WATCHED, async () => {
    const build = await run(process.execPath, ['build.mjs'], { cwd: join(ROOT, 'apps/api'), quiet: true });
    if (build.code !== 0) return say(build.output.trim());
    await api?.stop();
    api = await startApi(options).catch((error: Error) => {
      say(error.message);
      return undefined;
    });
    if (api) say('The API has restarted');
  });
  const typed = watchSources(TYPED, checkTypes);
  onStop(async () => [...watchers, ...typed].forEach((watcher) => void watcher.close()));

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

/** Prints the API's warnings; everything else goes to its log file only. */
function echoWarning(line: string): void {
  if (!line.startsWith('{')) {
    say(line);
    return;
  }
  const { level, msg, err, code } = JSON.parse(line) as {
    level: number;
    msg: string;
    code?: string;
    err?: { message: string; stack?: string };
  };
  if (level >= WARNING) say(`API: ${msg}${code ? ` (${code})` : ''}${err ? `\n${err.stack ?? err.message}` : ''}`);
}

let hadTypeErrors = false;

/** Prints the compiler's errors, and once that none are left. */
async function checkTypes(): Promise<void> {
  const { code, output } = await run(TURBO, ['run', 'typecheck', '--output-logs=errors-only'], { quiet: true });
  if (code !== 0)
    say(
      output
        .split('\n')
        .filter((line) => line.includes('error TS'))
        .join('\n'),
    );
  else if (hadTypeErrors) say('The types fit again');
  hadTypeErrors = code !== 0;
}

function readPort(name: string, standard: number): number {
  const value = process.env[name] || String(standard);
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  console.error(`${name} must be a port number`);
  process.exit(1);
}

/** Calls back after each change, one call at a time. Changes during a call cause one more call. */
function watchSources(folders: string[], onChange: () => Promise<void>): FSWatcher[] {
  let work = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(onChange);
    }, SETTLE_MS);
  };
  return folders.map((folder) => watch(join(ROOT, folder), { recursive: true }, changed));
}

function say(line: string): void {
  console.log(line);
}
