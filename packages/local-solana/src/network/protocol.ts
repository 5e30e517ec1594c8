/** A deliberate fault of an endpoint. */
export type Fault = FaultKind & {
  /** The methods that it affects; all by default. */
  methods?: string[];
  /** Number of requests that it affects; by default until it is cleared. */
  times?: number;
};

export type FaultKind =
  /** Answers are delayed. */
  | { kind: 'delay'; ms: number }
  /** The connection breaks before the call takes effect. */
  | { kind: 'drop' }
  /** The call takes effect, then the connection breaks. */
  | { kind: 'drop-answer' }
  /** The answer is an HTML page with status 200, as from a captive portal or a wrong proxy. */
  | { kind: 'html' }
  /** The answer is an HTTP error, e.g. 429 or 503. */
  | { kind: 'status'; status: number }
  /** The answer is a JSON-RPC error. */
  | { kind: 'error'; code: number; message: string }
  /** All reads see the state of this number of slots ago, at most 300. */
  | { kind: 'lag'; slots: number }
  /** `getTransaction` returns null, whatever the status says. */
  | { kind: 'hide-transactions' }
  /** Transactions are accepted but never reach the chain. */
  | { kind: 'lose-transactions' }
  /** Subscriptions are accepted but never notify. */
  | { kind: 'silence' };

/** The calls from the opener to the network's process: arguments and result of each. */
export interface ControlCalls {
  advance: { args: [slots: number]; result: number };
  pauseSlots: { args: []; result: number };
  resumeSlots: { args: []; result: number };
  moveTime: { args: [seconds: number]; result: number };
  rollBack: { args: [signature: string]; result: string[] };
  openEndpoint: { args: [port: number]; result: number };
  closeEndpoint: { args: [port: number]; result: null };
  fault: { args: [port: number, fault: Fault]; result: null };
  clearFaults: { args: [port: number]; result: null };
}

export type ControlName = keyof ControlCalls;

export interface ControlRequest {
  id: number;
  name: ControlName;
  args: unknown[];
}

export interface ProcessSettings {
  port: number;
  /** Ports of the endpoints that were open besides the first one, before a restart of the process. */
  morePorts: number[];
  directory: string | null;
  slotMs: number;
  finalizedAfter: number;
  paused: boolean;
}

export interface ReadyReport {
  port: number;
  mint: string;
  featureWallet: string;
  /** Base64. */
  featureWalletSecret: string;
  genesisHash: string;
}

/** From the network's process to its opener. */
export type ProcessMessage =
  | { ready: ReadyReport }
  | { failed: string }
  | { id: number; result: unknown }
  | { id: number; error: string };
