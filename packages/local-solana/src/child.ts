import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ControlCalls, ControlName, ProcessMessage, ProcessSettings, ReadyReport } from './network/protocol.ts';

const PACKAGE = join(import.meta.dirname, '..');
const STOP_TIMEOUT_MS = 5_000;

interface Waiting {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** One run of the network's process. */
export class Child {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  /** Resolves to the reason once the process has ended. */
  readonly ended: Promise<string>;

  private constructor(settings: ProcessSettings, log: (line: string) => void) {
    const { PATH, HOME, TMPDIR } = process.env;
    this.#process = spawn(process.execPath, ['--import', 'tsx', 'src/network/main.ts', JSON.stringify(settings)], {
      cwd: PACKAGE,
      // The network gets nothing else of the opener's environment (debuggers, loaders, secrets).
      env: { PATH, HOME, TMPDIR },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const output of [this.#process.stdout, this.#process.stderr]) {
      if (output) createInterface(output).on('line', log);
    }
    this.#process.on('message', (message: ProcessMessage) => this.#receive(message));
    this.ended = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve(error.message));
      this.#process.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`));
    });
    void this.ended.then((reason) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(`The local Solana network stopped: ${reason}.`));
      this.#waiting.clear();
    });
  }

  /** Resolves when the network answers; rejects with the reason if it cannot start. */
  static async start(settings: ProcessSettings, log: (line: string) => void) {
    const child = new Child(settings, log);
    const report = await new Promise<ReadyReport>((resolve, reject) => {
      child.#process.on('message', (message: ProcessMessage) => {
        if ('ready' in message) resolve(message.ready);
        if ('failed' in message) reject(new Error(message.failed));
      });
      void child.ended.then((reason) => reject(new Error(reason)));
    });
    return { child, report };
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  call<Name extends ControlName>(
    name: Name,
    ...args: ControlCalls[Name]['args']
  ): Promise<ControlCalls[Name]['result']> {
    return new Promise((resolve, reject) => {
      if (!this.#process.connected) return reject(new Error('The local Solana network is not running.'));
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      this.#process.send({ id: this.#lastId, name, args });
    });
  }

  async stop(): Promise<void> {
    const killer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    if (this.#process.connected) this.#process.send('stop');
    await this.ended;
    clearTimeout(killer);
  }

  #receive(message: ProcessMessage): void {
    if (!('id' in message)) return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.result as never);
  }
}
