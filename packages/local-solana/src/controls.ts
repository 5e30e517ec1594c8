import type { ControlCalls, ControlName, Fault } from './network/protocol.ts';

export type CallNetwork = <Name extends ControlName>(
  name: Name,
  ...args: ControlCalls[Name]['args']
) => Promise<ControlCalls[Name]['result']>;

/** Controls the faults of one endpoint. A restart of the network's process clears them. */
export interface EndpointControls {
  /** Adds a fault. If several of one kind match a request, the first counts. */
  fault(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
}

/** Another address of the same chain, with faults of its own. */
export interface LocalEndpoint extends EndpointControls {
  rpcUrl: string;
  wsUrl: string;
  close(): Promise<void>;
}

/**
 * Controls the network over a channel that only its opener has. Each call resolves when it has taken effect, so tests
 * need not wait. The calls of `EndpointControls` affect the network's first address.
 */
export interface Controls extends EndpointControls {
  /** Stops the slots; resolves with the newest one. Transactions still land, all in that slot. */
  pauseSlots(): Promise<number>;
  resumeSlots(): Promise<number>;
  /** Advances by a number of slots at once; resolves with the newest one. 151 slots expire every blockhash. */
  advance(slots: number): Promise<number>;
  /** Moves the chain's clock, in seconds; resolves with the block time, in unix seconds. */
  moveTime(seconds: number): Promise<number>;
  /**
   * Removes a transaction that is not finalized, as when its fork is abandoned, and repeats the later ones. Resolves
   * with the removed signatures. Rejects if it is unknown, finalized or older than the last restart.
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
