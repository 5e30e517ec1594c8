/** What goes wrong at an endpoint on purpose. */
export type Fault = FaultKind & {
  /** The methods it is about; all of them when absent. */
  methods?: string[];
  /** How many requests it meets; until it is cleared when absent. */
  times?: number;
};

export type FaultKind =
  /** Answers come later. */
  | { kind: 'delay'; ms: number }
  /** The connection breaks before anything is done. */
  | { kind: 'drop' }
  /** The work is done, then the connection breaks. */
  | { kind: 'drop-answer' }
  /** A page of HTML comes with status 200, as from a captive portal or a misplaced proxy. */
  | { kind: 'html' }
  /** An HTTP error comes instead of an answer, e.g. 429 or 503. */
  | { kind: 'status'; status: number }
  /** A JSON-RPC error comes instead of a result. */
  | { kind: 'error'; code: number; message: string }
  /** Everything is read as of so many slots ago, at most 300. */
  | { kind: 'lag'; slots: number }
  /** `getTransaction` answers null, whatever the status says. */
  | { kind: 'hide-transactions' }
  /** Transactions are accepted and never reach the chain. */
  | { kind: 'lose-transactions' }
  /** Subscriptions are accepted and stay silent. */
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
  /** Those opened besides the first one, before the process was started again. */
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
