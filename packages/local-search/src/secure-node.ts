import { type ExecFileSyncOptions, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { request } from 'node:https';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, ROOT } from '@archive/processes';
import { parse } from 'yaml';
import { JAVA, resolveJars } from './jars.ts';

const VERSION = '2.19.1.0';
const PLUGIN = `org.opensearch.plugin:opensearch-security:${VERSION}:zip`;
const MAVEN_GET = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get';
const DOCKER = join(ROOT, 'docker');
const START_MS = 120_000;

export interface SecureSearch {
  url: string;
  /** File with the certificate of the authority that signed the node's certificate. */
  ca: string;
  username: string;
  password: string;
  close(): Promise<void>;
}

/**
 * Starts one node with TLS and the security plugin, as `docker/compose.yaml` does: with its settings, and with the
 * certificate, account and role that its scripts make.
 */
export async function openSecureSearch(folder: string): Promise<SecureSearch> {
  const home = join(folder, 'home');
  const [secrets, plugin] = [join(folder, 'secrets'), join(home, 'plugins/opensearch-security')];
  for (const path of [plugin, join(home, 'config'), join(home, 'lib')]) mkdirSync(path, { recursive: true });
  const classpath = resolveJars('secure', 'pom-secure.xml', []);
  const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('mvn', ['-B', '-q', MAVEN_GET, `-Dartifact=${PLUGIN}`, '-Dtransitive=false'], quiet);
  const repository = join(homedir(), '.m2/repository/org/opensearch/plugin/opensearch-security', VERSION);
  execFileSync('jar', ['xf', join(repository, `opensearch-security-${VERSION}.zip`)], { cwd: plugin });
  // The plugin's programs expect the engine's jars there.
  for (const jar of classpath.split(delimiter)) symlinkSync(jar, join(home, 'lib', basename(jar)));
  execFileSync('sh', [join(DOCKER, 'search/make-secrets.sh'), secrets], quiet);
  cpSync(join(plugin, 'config'), join(home, 'config/opensearch-security'), { recursive: true });
  cpSync(join(secrets, 'search'), join(home, 'config/secrets'), { recursive: true });
  const [http, transport] = [await freePort(), await freePort()];
  const settings = {
    ...settingsOfCompose(),
    'node.name': 'search-1',
    'cluster.initial_cluster_manager_nodes': 'search-1',
    'discovery.seed_hosts': '127.0.0.1',
    'network.host': '127.0.0.1',
    'http.port': http,
    'transport.port': transport,
    'cluster.routing.allocation.disk.threshold_enabled': false,
  };
  const log = openSync(join(folder, 'node.log'), 'a');
  const java = ['java', '-Xms512m', '-Xmx512m', '-cp', classpath, join(JAVA, 'SecureSearchNode.java'), home];
  const child = spawn(
    'bash',
    [
      join(DOCKER, 'search/start-node.sh'),
      ...java,
      ...Object.entries(settings).map(([key, value]) => `${key}=${value}`),
    ],
    {
      stdio: ['ignore', log, log],
      cwd: folder,
      env: { ...process.env, OPENSEARCH_HOME: home, ROLES: join(DOCKER, 'search/roles.yml') },
    },
  );
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  const [ca, url, username] = [join(secrets, 'api/search_ca.pem'), `https://localhost:${http}`, 'amber'];
  const password = readFileSync(join(secrets, 'api/search_password'), 'utf8');
  const auth = `${username}:${password}`;
  for (const until = Date.now() + START_MS; !(await answers(url, ca, auth)); await delay(500)) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`the node did not start; its log is in ${folder}`);
  }
  return {
    url,
    ca,
    username,
    password,
    async close() {
      process.off('exit', stop);
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    },
  };
}

/** The settings of a node in compose.yaml, without those of the image itself. */
function settingsOfCompose(): Record<string, string> {
  const { services } = parse(readFileSync(join(DOCKER, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  const { environment = {} } = services['search-1'] ?? {};
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.includes('.')));
}

function answers(url: string, ca: string, auth: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { ca: readFileSync(ca), auth };
    const asked = request(`${url}/_cluster/health`, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
