// Entry point of every root command: checks the Node version, installs missing dependencies, then runs the command. It
// runs before the installation, so it imports only Node modules.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The script of each command, and its arguments before the caller's. */
const COMMANDS = {
  start: ['scripts/start.ts'],
  dev: ['scripts/dev.ts'],
  agent: ['scripts/agent.ts'],
  'demo:bluesky': ['scripts/demo-bluesky.ts'],
  'search-cluster': ['scripts/search-cluster.ts'],
  test: ['scripts/test.ts'],
  'test:full': ['scripts/test.ts', 'full'],
  check: ['scripts/check.ts'],
  lint: ['scripts/check.ts', 'lint'],
  format: ['scripts/format.ts'],
  typecheck: ['scripts/check.ts', 'typecheck'],
  walls: ['scripts/check.ts', 'walls'],
  'test:unit': ['scripts/test-part.ts', 'unit'],
  'test:api': ['scripts/test-part.ts', 'api'],
  'test:web': ['scripts/test-part.ts', 'web'],
  'test:search': ['scripts/test-search.ts'],
  'test:e2e': ['scripts/test-part.ts', 'e2e'],
  bench: ['scripts/bench.ts'],
  amber: ['apps/api/src/cli/main.ts'],
  'check:posts': ['scripts/check-posts.ts'],
  openapi: ['scripts/openapi.ts'],
  sbom: ['scripts/dependencies.ts', 'sbom'],
  licences: ['scripts/dependencies.ts', 'licences'],
};

/** Milliseconds until a child process has handled a Ctrl-C from the terminal. */
const HEARD_MS = 500;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [name = '', ...args] = process.argv.slice(2);

checkNode();
const [file, ...own] = COMMANDS[name] ?? [];
if (!file) stopWith(`There is no command "${name}". Commands: ${Object.keys(COMMANDS).join(', ')}.`);
process.env.TURBO_TELEMETRY_DISABLED = '1';
await installIfNeeded();
process.exitCode = await runCommand();

function checkNode() {
  const [, major = '', minor = ''] = /(\d+)\.(\d+)/.exec(manifest.engines.node) ?? [];
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  if (ownMajor > Number(major) || (ownMajor === Number(major) && ownMinor >= Number(minor))) return;
  stopWith(`Node ${major}.${minor} or newer is needed; this is ${process.versions.node}.`);
}

/** Installs missing dependencies and puts the package manager on the path, where the task runner looks for it. */
async function installIfNeeded() {
  const stamp = join(root, 'node_modules', '.installed');
  const wanted = dependencyHash();
  const { hash, managerFolder } = readStamp(stamp);
  if (hash === wanted && existsSync(managerFolder)) return usePath(managerFolder);

  console.error('Installing dependencies');
  const { name: manager, version } = manifest.devEngines.packageManager;
  const options = { cwd: root, shell: process.platform === 'win32' };
  const install = ['-y', `${manager}@${version}`, 'install', '--frozen-lockfile', '--reporter=append-only'];
  // The installer writes to standard error, so that the command's own output can be piped.
  const code = await finished(spawn('npx', install, { ...options, stdio: ['ignore', 2, 2] }));
  if (code !== 0) stopWith('The dependencies could not be installed; the reason is above.');

  const showPath = ['-y', '-p', `${manager}@${version}`, '-c', 'node -p process.env.PATH'];
  const { stdout } = spawnSync('npx', showPath, { ...options, encoding: 'utf8' });
  const folder = stdout
    .trim()
    .split(delimiter)
    .find((path) => existsSync(join(path, manager)));
  if (!folder) stopWith(`${manager} could not be found after the installation.`);
  writeFileSync(stamp, JSON.stringify({ hash: wanted, managerFolder: folder }));
  usePath(folder);
}

/** The stamp of the last installation. An unreadable one counts as missing. */
function readStamp(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

function usePath(folder) {
  process.env.PATH = `${folder}${delimiter}${process.env.PATH}`;
}

function dependencyHash() {
  const workspaces = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((workspace) => join(folder, workspace)),
  );
  const manifests = ['.', 'e2e', ...workspaces].map((folder) => join(folder, 'package.json'));
  const hash = createHash('sha256').update(process.version);
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests]) {
    if (existsSync(join(root, path))) hash.update(path).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

async function runCommand() {
  // npm runs scripts in the root folder, but relative paths refer to the caller's folder.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const tsx = pathToFileURL(createRequire(join(root, 'package.json')).resolve('tsx')).href;
  const endWithParent = pathToFileURL(join(root, 'packages/processes/src/end-with-parent.mjs')).href;
  const child = spawn(
    process.execPath,
    ['--import', endWithParent, '--import', tsx, join(root, file), ...own, ...args],
    {
      cwd,
      env: { ...process.env, DATA_DIR: resolve(cwd, process.env.DATA_DIR || join(root, '.data')) },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    },
  );
  // A terminal sends Ctrl-C to the child as well; this process waits for the child. If only this process got the
  // signal, the child is still running after HEARD_MS and gets SIGTERM. A child that is already stopping goes on
  // stopping.
  process.on('SIGINT', () => setTimeout(() => child.kill('SIGTERM'), HEARD_MS).unref());
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm does not forward signals to its shell's child. If npm is gone, this process ends its child.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  return finished(child);
}

function finished(child) {
  return new Promise((done) => {
    child.on('error', (error) => {
      console.error(error.message);
      done(1);
    });
    child.on('exit', (code) => done(code ?? 1));
  });
}

function stopWith(sentence) {
  console.error(sentence);
  process.exit(1);
}
