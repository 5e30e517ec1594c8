import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startApi } from '../scripts/api-process.ts';
import { openDatabase } from '../scripts/database.ts';
import { runScript } from '../scripts/processes.ts';
import { FEATURED_ID, posts } from './posts.ts';

const CLI = 'apps/api/src/cli/main.ts';

/** Starts the built product over an empty folder, with the posts of `posts.ts`; answers how to stop it. */
export default async function startProduct(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'product-e2e-'));
  const database = await openDatabase(dataDir, () => {});
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
    env: { RATE_LIMITS: 'off' },
  });
  process.env['PRODUCT_URL'] = api.url;
  return async () => {
    await api.stop();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function amber(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { code, output } = await runScript(CLI, args, { env, quiet: true, timeoutMs: 60_000 });
  if (code !== 0) throw new Error(`"${args[0]}" failed:\n${output}`);
}
