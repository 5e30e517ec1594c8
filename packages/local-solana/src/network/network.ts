import { setTimeout as delay } from 'node:timers/promises';
import { Chain } from '../chain/chain.ts';
import { featureWallet, projectMint } from '../chain/genesis.ts';
import { Journal } from '../chain/journal.ts';
import { lockDirectory } from './directory-lock.ts';
import { Endpoint } from './endpoint.ts';
import type { ControlCalls, ControlName, ProcessSettings, ReadyReport } from './protocol.ts';

/** A previous process whose opener has just ended needs a moment to release ports and directory. */
const BUSY_TRIES = 4;
const BUSY_PAUSE_MS = 100;

type ControlHandlers = {
  [Name in ControlName]: (
    ...args: ControlCalls[Name]['args']
  ) => ControlCalls[Name]['result'] | Promise<ControlCalls[Name]['result']>;
};

/** The chain with its endpoints, in the network's own process. */
export class Network {
  readonly #chain: Chain;
  readonly #endpoints = new Map<number, Endpoint>();
  readonly #controls: ControlHandlers = {
    advance: (slots) => {
      if (!Number.isSafeInteger(slots) || slots < 1) throw new Error('Slots advance by 1 or more.');
      this.#chain.advance(slots);
      return this.#chain.clock.slot;
    },
    pauseSlots: () => {
      this.#chain.pause();
      return this.#chain.clock.slot;
    },
    resumeSlots: () => {
      this.#chain.run();
      return this.#chain.clock.slot;
    },
    moveTime: (seconds) => {
      this.#chain.moveTime(seconds);
      return this.#chain.clock.blockTime;
    },
    rollBack: (signature) => this.#chain.rollBack(signature),
    openEndpoint: (port) => this.#open(port),
    closeEndpoint: async (port) => {
      const endpoint = this.#endpoint(port);
      this.#endpoints.delete(port);
      await endpoint.close();
      return null;
    },
    fault: (port, fault) => {
      this.#endpoint(port).faults.add(fault);
      return null;
    },
    clearFaults: (port) => {
      this.#endpoint(port).faults.clear();
      return null;
    },
  };

  private constructor(chain: Chain) {
    this.#chain = chain;
  }

  static async start(settings: ProcessSettings): Promise<{ network: Network; report: ReadyReport }> {
    const { directory, slotMs, finalizedAfter } = settings;
    if (directory !== null) await retry(() => lockDirectory(directory));
    const stored = directory === null ? undefined : Journal.open(directory);
    const network = new Network(new Chain({ slotMs, finalizedAfter, ...stored }));
    const port = await network.#open(settings.port);
    for (const more of settings.morePorts) await network.#open(more);
    if (!settings.paused) network.#chain.run();
    const report: ReadyReport = {
      port,
      mint: projectMint,
      featureWallet: featureWallet.address,
      featureWalletSecret: Buffer.from(featureWallet.secret).toString('base64'),
      genesisHash: network.#chain.genesisHash,
    };
    return { network, report };
  }

  control(name: ControlName, args: unknown[]): unknown {
    const handler = this.#controls[name] as (...args: unknown[]) => unknown;
    return handler(...args);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#endpoints.values()].map((endpoint) => endpoint.close()));
    this.#chain.close();
  }

  async #open(port: number): Promise<number> {
    const endpoint = new Endpoint(this.#chain);
    await retry(() => endpoint.listen(port));
    this.#endpoints.set(endpoint.port, endpoint);
    return endpoint.port;
  }

  #endpoint(port: number): Endpoint {
    const endpoint = this.#endpoints.get(port);
    if (!endpoint) throw new Error(`No endpoint is open at port ${port}.`);
    return endpoint;
  }
}

async function retry<T>(attempt: () => T | Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tried === BUSY_TRIES) throw error;
      await delay(BUSY_PAUSE_MS);
    }
  }
}
