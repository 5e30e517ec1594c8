import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@archive/processes';
import { JAVA, resolveJars } from './jars.ts';

export { openSecureSearch, type SecureSearch } from './secure-node.ts';

/** The engine for each JDK, and the runner that brings it. */
const VERSIONS = { new: { jdk: 21, runner: '3.8.0.0' }, old: { jdk: 17, runner: '2.19.1.0' } };
const START_MS = 180_000;

export interface LocalSearchOptions {
  /** Where nodes keep their indexes and logs. */
  folder: string;
  nodes?: number;
  /** Of each node. */
  heapMegabytes?: number;
  version?: keyof typeof VERSIONS;
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
  /** Resolves once every shard has its copies. */
  untilGreen(): Promise<void>;
  close(): Promise<void>;
}

/** What keeps a cluster from running on this machine, in words; null where nothing does. */
export function missingForSearch(): string | null {
  if (javaVersion() === null) return 'a JDK of 17 or newer is missing';
  try {
    execFileSync('mvn', ['-v'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'Maven is missing';
  }
}

/** The newest engine that the JDK runs; null: none. */
export function newestVersion(): keyof typeof VERSIONS | null {
  const jdk = javaVersion() ?? 0;
  if (jdk >= VERSIONS.new.jdk) return 'new';
  return jdk >= VERSIONS.old.jdk ? 'old' : null;
}

/** Starts a cluster of nodes on loopback, each a process of its own. */
export async function openLocalSearch(options: LocalSearchOptions): Promise<LocalSearch> {
  const { folder, nodes: count = 3, heapMegabytes = 400, version = newestVersion() ?? 'old' } = options;
  mkdirSync(folder, { recursive: true });
  const classpath = resolveJars(VERSIONS[version].runner, 'pom.xml', [`-Drunner=${VERSIONS[version].runner}`]);
  const names = Array.from({ length: count }, (_, at) => `n${at + 1}`);
  const ports: [http: number, transport: number][] = [];
  while (ports.length < count) ports.push([await freePort(), await freePort()]);
  const seeds = ports.map(([, transport]) => `127.0.0.1:${transport}`).join();
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
    ];
    const heap = `${heapMegabytes}m`;
    const child = spawn(
      'java',
      [`-Xms${heap}`, `-Xmx${heap}`, '-XX:+UseSerialGC', '-cp', classpath, join(JAVA, 'SearchNode.java'), ...args],
      { stdio: ['ignore', log, log], cwd: folder },
    );
    return { url: `http://127.0.0.1:${http}`, process: child };
  };
  const nodes = names.map((_, at) => start(at));
  const stopAll = () => {
    for (const { process: child } of nodes) child.kill('SIGKILL');
  };
  process.once('exit', stopAll);
  const untilGreen = async () => {
    for (const until = Date.now() + START_MS; Date.now() < until; await delay(250)) {
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
    throw new Error(`the search cluster did not start; its logs are in ${folder}`);
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
    async close() {
      process.off('exit', stopAll);
      const ended = nodes.map(({ process: child }) =>
        child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null,
      );
      for (const { process: child } of nodes) child.kill('SIGTERM');
      const hung = setTimeout(stopAll, 20_000);
      await Promise.all(ended);
      clearTimeout(hung);
    },
  };
}

function javaVersion(): number | null {
  try {
    const told = execFileSync('javac', ['-version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const [, major] = /javac (\d+)/.exec(told) ?? [];
    return major ? Number(major) : null;
  } catch {
    return null;
  }
}
