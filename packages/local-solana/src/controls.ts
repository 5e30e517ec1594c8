import type { ControlCalls, ControlName, Fault } from './network/protocol.ts';

export type CallNetwork = <Name extends ControlName>(
  name: Name,
  ...args: ControlCalls[Name]['args']
) => Promise<ControlCalls[Name]['result']>;

/** What goes wrong at one endpoint; a restart of the network's process clears it. */
export interface EndpointControls {
  /** Adds a fault; of several of one kind the first that meets a request counts. */
  fault(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
}

/** Another address over the same chain, with faults of its own. */
export interface LocalEndpoint extends EndpointControls {
  rpcUrl: string;
  wsUrl: string;
  close(): Promise<void>;
}

/**
 * Steers the network over a channel that only its opener has. Every call resolves when it has taken effect, so that
 * tests need not wait. Those of `EndpointControls` are about the network's first address.
 */
export interface Controls extends EndpointControls {
  /** Stops the slots; resolves to the newest one. Transactions still land, all of them in that slot. */
  pauseSlots(): Promise<number>;
  resumeSlots(): Promise<number>;
  /** Moves on by so many slots at once; resolves to the newest one. 151 expire every blockhash that was given out. */
  advance(slots: number): Promise<number>;
  /** Moves the chain's clock, in seconds; resolves to the block time, in unix seconds. */
  moveTime(seconds: number): Promise<number>;
  /**
   * Takes back a transaction that is not finalized, as when its fork is left behind, and repeats what came after it;
   * resolves to the signatures that are gone. Rejects where it is unknown, finalized or older than the last restart.
   */
  rollBack(signature: string): Promise<string[]>;
  openEndpoint(): Promise<LocalEndpoint>;
}

export function makeControls(
  call: CallNetwork,
  firstPort: number,
  memory: { paused: boolean; morePorts: Set<number> },
): Controls {
  return {
    ...endpointControls(call, firstPort),
    pauseSlots: () => {
      memory.paused = true;
      return call('pauseSlots');
    },
    resumeSlots: () => {
      memory.paused = false;
      return call('resumeSlots');
    },
    advance: (slots) => call('advance', slots),
    moveTime: (seconds) => call('moveTime', seconds),
    rollBack: (signature) => call('rollBack', signature),
    openEndpoint: async () => {
      const port = await call('openEndpoint', 0);
      memory.morePorts.add(port);
      return {
        ...urls(port),
        ...endpointControls(call, port),
        close: async () => {
          memory.morePorts.delete(port);
          await call('closeEndpoint', port);
        },
      };
    },
  };
}

export function urls(port: number): { rpcUrl: string; wsUrl: string } {
  return { rpcUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port + 1}` };
}

function endpointControls(call: CallNetwork, port: number): EndpointControls {
  return {
    fault: async (fault) => void (await call('fault', port, fault)),
    clearFaults: async () => void (await call('clearFaults', port)),
  };
}
