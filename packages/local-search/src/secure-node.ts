import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@archive/processes';
import { JAVA, resolveJars } from './jars.ts';

const PLUGIN = 'org.opensearch.plugin:opensearch-security:2.19.1.0:zip';
const START_MS = 120_000;

export interface SecureSearch {
  url: string;
  /** File of the authority that signed the node's certificate. */
  ca: string;
  username: string;
  password: string;
  close(): Promise<void>;
}

/** Starts one node with TLS and the security plugin, and an account that may do what `role` says. */
export async function openSecureSearch(folder: string, role: string): Promise<SecureSearch> {
  const [home, config] = [join(folder, 'home'), join(folder, 'home/config')];
  const plugin = join(home, 'plugins/opensearch-security');
  mkdirSync(config, { recursive: true });
  mkdirSync(plugin, { recursive: true });
  const classpath = resolveJars('secure', 'pom-secure.xml', []);
  execFileSync(
    'mvn',
    [
      '-B',
      '-q',
      'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get',
      `-Dartifact=${PLUGIN}`,
      '-Dtransitive=false',
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const repository = join(homedir(), '.m2/repository/org/opensearch/plugin/opensearch-security/2.19.1.0');
  execFileSync('jar', ['xf', join(repository, 'opensearch-security-2.19.1.0.zip')], { cwd: plugin });
  cpSync(join(plugin, 'config'), join(config, 'opensearch-security'), { recursive: true });
  const [username, password] = ['archive', 'a password of tests'];
  const jars = [classpath, join(plugin, '*')].join(delimiter);
  const hash = execFileSync('java', ['-cp', jars, 'org.opensearch.security.tools.Hasher', '-p', password], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .trim()
    .split('\n')
    .at(-1);
  const secured = (name: string, text: string) => writeFileSync(join(config, 'opensearch-security', name), text);
  secured(
    'internal_users.yml',
    `_meta: { type: internalusers, config_version: 2 }\n${username}: { hash: "${hash}" }\n`,
  );
  secured('roles.yml', role);
  secured('roles_mapping.yml', `_meta: { type: rolesmapping, config_version: 2 }\namber: { users: [${username}] }\n`);
  makeCertificates(config);
  const [http, transport] = [await freePort(), await freePort()];
  const log = openSync(join(folder, 'node.log'), 'a');
  const child = spawn(
    'java',
    [
      '-Xms512m',
      '-Xmx512m',
      '-cp',
      classpath,
      join(JAVA, 'SecureSearchNode.java'),
      String(http),
      String(transport),
      home,
    ],
    { stdio: ['ignore', log, log], cwd: folder },
  );
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  const ca = join(config, 'ca.pem');
  const url = `https://localhost:${http}`;
  for (const until = Date.now() + START_MS; !(await answers(url, ca, `${username}:${password}`)); await delay(500)) {
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

/** An authority, and a certificate that it signed for this machine. */
function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...made, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=authority');
  openssl('req', ...made.slice(0, 3), '-keyout', 'node.key', '-out', 'node.csr', '-subj', '/CN=node');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  openssl(
    'x509',
    '-req',
    '-in',
    'node.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'node.pem',
    '-days',
    '2',
    '-extfile',
    'names',
  );
}

function answers(url: string, ca: string, auth: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(`${url}/_cluster/health`, { ca: readFileSync(ca), auth }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
