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

/** Engine versions: the Maven runner that contains each, and the lowest JDK for it. */
const VERSIONS = { new: { jdk: 21, runner: '3.8.0.0' }, old: { jdk: 17, runner: '2.19.1.0' } };
/** Where Debian installs JDKs besides the one in PATH. */
const JDKS = '/usr/lib/jvm';
/** Many times the start of three nodes on a quiet machine, because a busy machine may be that slow. */
const START_MS = 600_000;

export type SearchVersion = keyof typeof VERSIONS;

export interface LocalSearchOptions {
  /** Folder for the nodes' indexes and logs. */
  folder: string;
  nodes?: number;
  /** Heap of each node, in megabytes. */
  heapMegabytes?: number;
  version?: SearchVersion;
  /**
   * For a run of minutes, not hours: the JVM compiles code only once, because optimizing takes half of the processor
   * time.
   */
  isBrief?: boolean;
  /** Ports per node, for HTTP and between nodes; free ones by default. */
  ports?: [http: number, transport: number][];
  /** Runs each node in its own network namespace, so that it can be cut off. Needs root. */
  isApart?: boolean;
}

export interface SearchNode {
  url: string;
  process: ChildProcess;
}

export interface LocalSearch {
  /** In the form of SEARCH_URL. */
  url: string;
  nodes: readonly SearchNode[];
  /** Kills a node; the others get no notice. */
  kill(at: number): Promise<void>;
  /** Restarts a killed node with its data. */
  restart(at: number): Promise<void>;
  /** Disconnects a running node from the network. Needs `isApart`. */
  cut(at: number): void;
  /** Reconnects the node. */
  join(at: number): void;
  /** Resolves once every shard has its replicas. */
  untilGreen(): Promise<void>;
  close(): Promise<void>;
}

/** Why a cluster cannot run on this machine, as text; null if it can. */
export function missingForSearch(): string | null {
  if (newestVersion() === null) return 'a JDK of 17 or newer is missing';
  try {
    execFileSync('mvn', ['-v'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'Maven is missing';
  }
}

/** Installs Debian's JDK and Maven if this is Debian and the user is root; otherwise does nothing. */
export function installForSearch(say: (line: string) => void): void {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return;
  say("Installing Debian's JDK and Maven");
  const apt = (...words: string[]) =>
    execFileSync('apt-get', ['-qq', ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'default-jdk-headless', 'maven');
}

/** The newest engine that the JDK in PATH can run; null if there is none. */
export function newestVersion(): SearchVersion | null {
  const jdk = jdkOf('javac') ?? 0;
  if (jdk >= VERSIONS.new.jdk) return 'new';
  return jdk >= VERSIONS.old.jdk ? 'old' : null;
}

/** All engines for which this machine has a JDK, in PATH or elsewhere. */
export function versions(): SearchVersion[] {
  return (['old', 'new'] as const).filter((version) => javaFor(version) !== null);
}

/** The Java command for an engine: that in PATH if its JDK is new enough. */
function javaFor(version: SearchVersion): string | null {
  const others = existsSync(JDKS) ? readdirSync(JDKS).map((name) => join(JDKS, name, 'bin')) : [];
  const folder = ['', ...others].find((bin) => (jdkOf(join(bin, 'javac')) ?? 0) >= VERSIONS[version].jdk);
  return folder === undefined ? null : join(folder, 'java');
}

/** Starts a cluster of nodes on loopback, each as a separate process. */
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
    // The engine refuses requests when its heap is nearly full, so it needs a collector that frees memory early. With
    // large pages a build is 5% faster; the JVM has this option on Linux alone. The vector module speeds up searches.
    // The JDK of the new engine has it, and the engine's own distribution loads it.
    const full = [
      '-XX:+UseG1GC',
      ...(process.platform === 'linux' ? ['-XX:+UseTransparentHugePages'] : []),
      ...(version === 'new' ? ['--add-modules=jdk.incubator.vector'] : []),
    ];
    const speed = isBrief ? ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] : full;
    // Without a configuration file, log4j writes errors alone.
    const told = '-Dlog4j2.level=INFO';
    const java = [command, ...heap, ...speed, told, '-cp', classpath, join(JAVA, 'SearchNode.java'), ...args];
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

/** Reports which nodes run, and which shards have not started and why, as told by the first node that answers. */
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

/** Major version of a Java compiler; null if it does not exist. */
function jdkOf(javac: string): number | null {
  try {
    const told = execFileSync(javac, ['-version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const [, major] = /javac (\d+)/.exec(told) ?? [];
    return major ? Number(major) : null;
  } catch {
    return null;
  }
}
