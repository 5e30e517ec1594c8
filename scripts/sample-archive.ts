import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ArchivePage, ENDPOINTS } from '../packages/contracts/src/index.ts';
import { runScript } from '../packages/processes/src/index.ts';

const SAMPLE = join(import.meta.dirname, 'sample');
const CLI = 'apps/api/src/cli/main.ts';
/** The age of the newest post at the first visit. */
const NEWEST_AGE_MS = 2 * 3_600_000;
/** The API sees the writes of other processes within two seconds. */
const FOLLOW_TIMEOUT_MS = 10_000;
const POLL_MS = 50;
/** With a search cluster the API is ready before its index is built. For an empty archive that takes seconds. */
const LISTS_TIMEOUT_MS = 60_000;
const LISTS_POLL_MS = 200;

interface SamplePost {
  id: string;
  timestamp: string;
}

/**
 * Imports the sample archive through the command line and features its chosen posts, the banner's last. Resolves once
 * the API returns them. Does nothing if the archive has posts, or if the API answers no lists within a minute.
 */
export async function importSampleIfEmpty(
  apiUrl: string,
  mongodbUri: string,
  dataDir: string,
  say: (line: string) => void,
): Promise<void> {
  const page = await firstPage(apiUrl);
  if (!page || page.stats.total > 0) return;
  say('Importing the sample archive');
  const env = { MONGODB_URI: mongodbUri, DATA_DIR: dataDir };
  const folder = await mkdtemp(join(tmpdir(), 'sample-archive-'));
  const featured = JSON.parse(await readFile(join(SAMPLE, 'featured.json'), 'utf8')) as string[];
  try {
    const file = join(folder, 'archive.ndjson');
    await writeFile(file, await shiftedSample(new Date()));
    await amber(['import', file], env);
    for (const id of featured) await amber(['feature', id], env);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const deadline = Date.now() + FOLLOW_TIMEOUT_MS;
  while ((await firstPage(apiUrl))?.featured?.id !== featured.at(-1) && Date.now() < deadline) await delay(POLL_MS);
}

/** Null if the API answers 503 for a minute. */
async function firstPage(apiUrl: string): Promise<ArchivePage | null> {
  for (const deadline = Date.now() + LISTS_TIMEOUT_MS; Date.now() < deadline; await delay(LISTS_POLL_MS)) {
    const answer = await fetch(`${apiUrl}${ENDPOINTS.listArchives.path}?limit=1`);
    if (answer.ok) return (await answer.json()) as ArchivePage;
    if (answer.status !== 503) throw new Error(`The API answered ${answer.status} when asked for its posts.`);
  }
  return null;
}

/** The sample as NDJSON, with all times shifted so that its newest posts are from today. */
export async function shiftedSample(now: Date): Promise<string> {
  const lines = (await readFile(join(SAMPLE, 'archive.ndjson'), 'utf8')).trim().split('\n');
  const posts = lines.map((line) => JSON.parse(line) as SamplePost);
  const newest = Math.max(...posts.map((post) => Date.parse(post.timestamp)));
  const shift = now.getTime() - NEWEST_AGE_MS - newest;
  return posts.map((post) => `${JSON.stringify({ ...post, timestamp: moved(post.timestamp, shift) })}\n`).join('');
}

function moved(timestamp: string, shiftMs: number): string {
  return new Date(Date.parse(timestamp) + shiftMs).toISOString();
}

async function amber(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { code, output } = await runScript(CLI, args, { env, quiet: true, timeoutMs: 120_000 });
  if (code !== 0) throw new Error(`The sample archive could not be imported (${args[0]}):\n${output}`);
}
