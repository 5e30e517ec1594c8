import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { keepLog } from './keep-log.ts';
import { ROOT, startNode, stopProcess } from './processes.ts';

export interface AgentOptions {
  mongodbUri: string;
  dataDir: string;
  env?: NodeJS.ProcessEnv | undefined;
}

export interface AgentProcess {
  log: string;
  process: ChildProcess;
  /** Resolves with its last output when it ends, for any reason. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the built agent; its log goes to a file in the data folder. */
export function startAgent({ mongodbUri, dataDir, env }: AgentOptions): AgentProcess {
  const child = startNode(['--enable-source-maps', join(ROOT, 'apps/api/dist/agent.js')], {
    cwd: ROOT,
    env: { ...process.env, ...env, MONGODB_URI: mongodbUri, MONGODB_URI_FILE: undefined, DATA_DIR: dataDir },
  });
  const log = join(dataDir, 'logs', 'agent.log');
  const lastWords = keepLog(child, log);
  const ended = once(child, 'exit').then(() => lastWords().join('\n'));
  return { log, process: child, ended, stop: () => stopProcess(child) };
}
