import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@archive/processes';
import { JAVA, resolveJars } from './jars.ts';
import { makeNamespaces } from './namespaces.ts';

export { openS3Proxy } from './s3-proxy.ts';
export { openSecureSearch, type SecureSearch } from './secure-node.ts';

/** The engines, the runner that brings each, and the JDK that it takes at least. */
const VERSIONS = { new: { jdk: 21, runner: '3.8.0.0' }, old: { jdk: 17, runner: '2.19.1.0' } };
/** Where Debian puts JDKs besides the one in PATH. */
const JDKS = '/usr/lib/jvm';
/** Many times what three nodes take to begin on a quiet machine: a busy one is as slow. */
const START_MS = 600_000;

export type SearchVersion = keyof typeof VERSIONS;

export interface LocalSearchOptions {
  /** Where nodes keep their indexes and logs. */
  folder: string;
  nodes?: number;
  /** Of each node. */
  heapMegabytes?: number;
  version?: SearchVersion;
  /** For minutes and not hours: its code is compiled once and not again for speed, which takes half of the processor's time. */
  isBrief?: boolean;
  /** For HTTP and between nodes, by node; free ones where they are left out. */
  ports?: [http: number, transport: number][];
  /** Each node in a network namespace of its own, so that it can be cut off. Takes root. */
  isApart?: boolean;
}

export interface SearchNode {
  url: string;
  process: ChildProcess;
}

export interface LocalSearch {
  /** As SEARCH_URL takes it. */
  url: string;
  nodes: readonly SearchNode[];
  /** Ends a node without a word to the others. */
  kill(at: number): Promise<void>;
  /** Starts one again that was killed, with what it had. */
  restart(at: number): Promise<void>;
  /** Takes a node off the network, of a cluster that is apart; it runs on. */
  cut(at: number): void;
  /** Puts it back. */
  join(at: number): void;
  /** Resolves once every shard has its copies. */
  untilGreen(): Promise<void>;
  close(): Promise<void>;
}

/** What keeps a cluster from running on this machine, in words; null where nothing does. */
export function missingForSearch(): string | null {
  if (newestVersion() === null) return 'a JDK of 17 or newer is missing';
  try {
    execFileSync('mvn', ['-v'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'Maven is missing';
  }
}

/** Installs Debian's JDK and Maven where this is Debian and we are root; else does nothing. */
export function installForSearch(say: (line: string) => void): void {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return;
  say("Installing Debian's JDK and Maven");
  const apt = (...words: string[]) =>
    execFileSync('apt-get', ['-qq', ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'default-jdk-headless', 'maven');
}

/** The newest engine that the JDK in PATH runs; null: none. */
export function newestVersion(): SearchVersion | null {
  const jdk = jdkOf('javac') ?? 0;
  if (jdk >= VERSIONS.new.jdk) return 'new';
  return jdk >= VERSIONS.old.jdk ? 'old' : null;
}

/** Every engine for which this machine has a JDK, in PATH or not. */
export function versions(): SearchVersion[] {
  return (['old', 'new'] as const).filter((version) => javaFor(version) !== null);
}

/** The command that runs an engine: that in PATH where its JDK will do. */
function javaFor(version: SearchVersion): string | null {
  const others = existsSync(JDKS) ? readdirSync(JDKS).map((name) => join(JDKS, name, 'bin')) : [];
  const folder = ['', ...others].find((bin) => (jdkOf(join(bin, 'javac')) ?? 0) >= VERSIONS[version].jdk);
  return folder === undefined ? null : join(folder, 'java');
}

/** Starts a cluster of nodes on loopback, each a process of its own. */
export async function openLocalSearch(options: LocalSearchOptions): Promise<LocalSearch> {
  const {
    folder,
    nodes: count = 3,
    heapMegabytes = 400,
    version = newestVersion() ?? 'old',
    isBrief,
    isApart,
  } = options;
  mkdirSync(folder, { recursive: true });
  const command = javaFor(version);
  if (command === null) throw new Error(`a JDK of ${VERSIONS[version].jdk} or newer is missing`);
  const classpath = resolveJars(VERSIONS[version].runner, 'pom.xml', [`-Drunner=${VERSIONS[version].runner}`]);
  const apart = isApart ? makeNamespaces(count) : null;
  const addressOf = (at: number) => apart?.addressOf(at) ?? '127.0.0.1';
  const names = Array.from({ length: count }, (_, at) => `n${at + 1}`);
  const ports = [...(options.ports ?? [])];
  while (ports.length < count) ports.push([await freePort(), await freePort()]);
  const seeds = ports.map(([, transport], at) => `${addressOf(at)}:${transport}`).join();
  const start = (at: number): SearchNode => {
    const [http, transport] = ports[at] as [number, number];
    const log = openSync(join(folder, `${names[at]}.log`), 'a');
    const args = [
      String(names[at]),
      String(http),
      String(transport),
      seeds,
      names.join(),
      join(folder, String(names[at])),
      addressOf(at),
    ];
    const heap = [`-Xms${heapMegabytes}m`, `-Xmx${heapMegabytes}m`];
    // The engine looks at its heap as a whole and refuses requests where it is nearly full: it counts on the collector that frees it early.
    const speed = isBrief ? ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] : ['-XX:+UseG1GC'];
    const java = [command, ...heap, ...speed, '-cp', classpath, join(JAVA, 'SearchNode.java'), ...args];
    const [first = '', ...rest] = apart?.inside(at, java) ?? java;
    const child = spawn(first, rest, { stdio: ['ignore', log, log], cwd: folder });
    return { url: `http://${addressOf(at)}:${http}`, process: child };
  };
  const nodes = names.map((_, at) => start(at));
  const stopAll = () => {
    for (const { process: child } of nodes) child.kill('SIGKILL');
    apart?.remove();
  };
  process.once('exit', stopAll);
  const untilGreen = async () => {
    const isEnded = ({ process: child }: SearchNode) => child.exitCode !== null || child.signalCode !== null;
    for (const until = Date.now() + START_MS; Date.now() < until && !nodes.every(isEnded); await delay(250)) {
      for (const { url, process: child } of nodes) {
        if (child.exitCode !== null) continue;
        const path = `${url}/_cluster/health?wait_for_status=green&wait_for_nodes=${count}&timeout=2s`;
        const health = await fetch(path).then(
          (answer) => (answer.ok ? answer.json() : null),
          () => null,
        );
        if ((health as { status?: string } | null)?.status === 'green') return;
      }
    }
    throw new Error(`the search cluster does not become green; its logs are in ${folder}\n${await tellWhy(nodes)}`);
  };
  try {
    await untilGreen();
  } catch (error) {
    stopAll();
    throw error;
  }
  return {
    url: nodes.map(({ url }) => url).join(),
    nodes,
    untilGreen,
    async kill(at) {
      const child = nodes[at]?.process;
      if (child && child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    },
    async restart(at) {
      nodes[at] = start(at);
    },
    cut: (at) => apart?.cut(at),
    join: (at) => apart?.join(at),
    async close() {
      process.off('exit', stopAll);
      const ended = nodes.map(({ process: child }) =>
        child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null,
      );
      for (const { process: child } of nodes) child.kill('SIGTERM');
      const hung = setTimeout(stopAll, 20_000);
      await Promise.all(ended);
      clearTimeout(hung);
      apart?.remove();
    },
  };
}

/** Which nodes run, which shards have not begun and why, in the words of the first node that answers. */
async function tellWhy(nodes: readonly SearchNode[]): Promise<string> {
  const paths = [
    '/_cluster/health',
    '/_cat/nodes?h=name,cluster_manager,uptime',
    '/_cat/shards?h=index,shard,prirep,state,node,unassigned.reason,unassigned.details',
    '/_cluster/allocation/explain',
  ];
  const told = nodes.map(({ process: { exitCode, signalCode } }) => `ended: ${exitCode ?? signalCode ?? 'no'}`);
  for (const path of paths) {
    const asked = nodes.map(({ url }) => fetch(url + path, { signal: AbortSignal.timeout(5_000) }));
    told.push(await Promise.any(asked).then((answer) => answer.text(), String));
  }
  return told.join('\n');
}

/** Major version of a compiler; null where it is not there. */
function jdkOf(javac: string): number | null {
  try {
    const told = execFileSync(javac, ['-version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const [, major] = /javac (\d+)/.exec(told) ?? [];
    return major ? Number(major) : null;
  } catch {
    return null;
  }
}
