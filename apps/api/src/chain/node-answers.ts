export type Commitment = 'confirmed' | 'finalized';

/** One row of an account's history. */
export interface HistoryRow {
  signature: string;
  slot: number;
  err: unknown;
  /** All memos, joined, each as `[length] text`. */
  memo: string | null;
  blockTime: number | null;
  confirmationStatus: 'processed' | Commitment | null;
}

export interface SignatureStatus {
  slot: number;
  err: unknown;
  confirmationStatus: 'processed' | Commitment | null;
}

export interface Blockhash {
  blockhash: string;
  lastValidBlockHeight: number;
}

export interface Simulation {
  err: unknown;
  logs: string[] | null;
}

export interface RawAccount {
  data: [string, 'base64'];
  executable: boolean;
  lamports: number;
  owner: string;
}

export interface Answer<T> {
  /** The slot of the state that the node has read. */
  context: { slot: number };
  value: T;
}
