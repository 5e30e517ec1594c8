import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DEBIAN_KEYRING, UnusablePlatformError } from './platform.ts';

const run = promisify(execFile);

const SUITE = 'trixie';
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1'];
const COMMAND_TIMEOUT_MS = 120_000;
const LEFTOVER_AGE_MS = 3_600_000;

const TRIPLES: Record<string, { triple: string; loader: string }> = {
  x64: { triple: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triple: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/** A C library newer than the system's, and its loader. */
export interface Libraries {
  loader: string;
  folder: string;
}

/**
 * Debian 13's C libraries in the user's cache. apt downloads them once from the machine's own mirror and checks them
 * against the installed archive keys. The system itself does not change. Throws `UnusablePlatformError` if this fails.
 */
export async function debianLibraries(onProgress: (line: string) => void): Promise<Libraries> {
  const names = TRIPLES[process.arch];
  if (!names) throw new UnusablePlatformError(`there is no build for ${process.arch}`);
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'embedded-mongo');
  const home = join(cache, `debian-13-${process.arch}`);
  const folder = join(home, 'usr/lib', names.triple);
  const libraries = { loader: join(folder, names.loader), folder };
  if (existsSync(libraries.loader)) return libraries;

  await mkdir(cache, { recursive: true });
  await removeLeftovers(cache);
  const work = await mkdtemp(join(cache, 'fetch-'));
  try {
    onProgress(`Fetching Debian 13's C library (13 MB, once)`);
    await fetchPackages(work);
    onProgress('Unpacking it into the cache');
    const root = join(work, 'root');
    for (const file of (await readdir(work)).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg', ['-x', join(work, file), root], { timeout: COMMAND_TIMEOUT_MS });
    }
    await renameUnlessThere(root, home);
  } catch (error) {
    throw new UnusablePlatformError(`Debian 13's C library could not be fetched: ${lastLine(error)}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return libraries;
}

async function fetchPackages(work: string): Promise<void> {
  const lists = join(work, 'lists');
  const cache = join(work, 'cache');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(cache, 'archives/partial'), { recursive: true });
  const sources = join(work, 'sources.list');
  await writeFile(sources, `deb [signed-by=${DEBIAN_KEYRING}] ${await ownMirror()} ${SUITE} main\n`);
  const settings = {
    'Dir::State::Lists': lists,
    'Dir::Cache': cache,
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '/dev/null',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '20',
    'APT::Get::List-Cleanup': 'false',
    // By default apt changes to a user without write access here; without root it would only warn.
    'APT::Sandbox::User': '',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const where = { cwd: work, timeout: COMMAND_TIMEOUT_MS };
  await run('apt-get', [...options, '-q', 'update', '--error-on=any'], where);
  await run('apt-get', [...options, '-q', 'download', ...PACKAGES], where);
}

/** The mirror from which this machine already gets Debian packages. */
async function ownMirror(): Promise<string> {
  const format = '$(REPO_URI) $(COMPONENT)';
  const { stdout } = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']);
  const mirrors = stdout.split('\n').flatMap((line) => {
    const [uri, component] = line.split(' ');
    return uri && component === 'main' && /\/debian\/?$/.test(uri) ? [uri] : [];
  });
  if (!mirrors[0]) throw new Error('no Debian mirror is configured for apt');
  return mirrors[0];
}

/** Several processes may download at once. The first rename wins, and the others use its result. */
async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

async function removeLeftovers(cache: string): Promise<void> {
  for (const name of (await readdir(cache)).filter((entry) => entry.startsWith('fetch-'))) {
    const path = join(cache, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true });
  }
}

function lastLine(error: unknown): string {
  const text = (error as { stderr?: string }).stderr || String((error as Error).message);
  return text.trim().split('\n').at(-1) ?? 'unknown error';
}
