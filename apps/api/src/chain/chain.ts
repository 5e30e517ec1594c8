import { type MintTerms, readMintAccount } from '@archive/solana/chain';
import { type Network, networkOf } from '@archive/solana/price';
import type { FetchedTransaction } from '@archive/solana/verify';
import { PublicKey } from '@solana/web3.js';
import { SolanaRpc } from './solana-rpc.ts';

export type Commitment = 'confirmed' | 'finalized';

/** One row of an account's history. */
export interface HistoryRow {
  signature: string;
  slot: number;
  err: unknown;
  /** `[length] text` of each memo, joined. */
  memo: string | null;
  blockTime: number | null;
  confirmationStatus: 'processed' | Commitment | null;
}

export interface SignatureStatus {
  slot: number;
  err: unknown;
  confirmationStatus: 'processed' | Commitment | null;
}

interface RawAccount {
  data: [string, 'base64'];
  executable: boolean;
  lamports: number;
  owner: string;
}

export const HISTORY_PAGE = 1_000;
const STATUSES_AT_ONCE = 256;

/** The chain as the configured nodes tell it. */
export class Chain {
  readonly #rpc: SolanaRpc;

  constructor(urls: readonly string[], timeoutMs?: number) {
    this.#rpc = new SolanaRpc(urls, timeoutMs);
  }

  /**
   * The network of the nodes.
   *
   * @throws Error where the nodes serve different ones.
   */
  async readNetwork(): Promise<Network> {
    const [first = '', ...others] = await this.#rpc.askEach<string>('getGenesisHash', []);
    if (others.some((hash) => hash !== first)) throw new Error('the Solana nodes serve different networks');
    return networkOf(first);
  }

  /** The token's program and real decimals; throws UnsupportedMintError where it cannot be paid with. */
  async readMint(mint: string): Promise<MintTerms> {
    const { value } = await this.#rpc.ask<{ value: RawAccount | null }>('getAccountInfo', [
      mint,
      { encoding: 'base64', commitment: 'confirmed' },
    ]);
    return readMintAccount(
      mint,
      value && { ...value, owner: new PublicKey(value.owner), data: Buffer.from(value.data[0], 'base64') },
    );
  }

  /** A transaction, or null where no node shows it at this commitment. */
  getTransaction(signature: string, commitment: Commitment): Promise<FetchedTransaction | null> {
    const options = { encoding: 'json', commitment, maxSupportedTransactionVersion: 1 };
    return this.#rpc.ask<FetchedTransaction | null>('getTransaction', [signature, options], (found) => found !== null);
  }

  /** Status of each signature by its position, searched in the whole history; null where no node knows it. */
  async statusesOf(signatures: readonly string[]): Promise<(SignatureStatus | null)[]> {
    const statuses: (SignatureStatus | null)[] = [];
    for (let at = 0; at < signatures.length; at += STATUSES_AT_ONCE) {
      const { value } = await this.#rpc.ask<{ value: (SignatureStatus | null)[] }>(
        'getSignatureStatuses',
        [signatures.slice(at, at + STATUSES_AT_ONCE), { searchTransactionHistory: true }],
        (answer) => answer.value.every((status) => status !== null),
      );
      statuses.push(...value);
    }
    return statuses;
  }

  /** A page of an account's confirmed history, newest first: before `before`, down to but without `until`. */
  historyOf(account: string, range: { before?: string; until?: string }): Promise<HistoryRow[]> {
    return this.#rpc.ask<HistoryRow[]>('getSignaturesForAddress', [
      account,
      { ...range, limit: HISTORY_PAGE, commitment: 'confirmed' },
    ]);
  }

  /** Height of the newest block, by which blockhashes expire. */
  blockHeight(commitment: Commitment = 'confirmed'): Promise<number> {
    return this.#rpc.ask<number>('getBlockHeight', [{ commitment }]);
  }

  finalizedSlot(): Promise<number> {
    return this.#rpc.ask<number>('getSlot', [{ commitment: 'finalized' }]);
  }
}
