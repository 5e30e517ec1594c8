import { type MintTerms, readMintAccount } from '@archive/solana/chain';
import { type Network, networkOf } from '@archive/solana/price';
import type { FetchedTransaction } from '@archive/solana/verify';
import { PublicKey } from '@solana/web3.js';
import { ChainUnavailableError, SolanaRpc } from './solana-rpc.ts';

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

const HISTORY_PAGE = 1_000;
/** Slots by which the finalized chain must be past a transaction before its absence means something. */
const SURE_SLOTS = 32;
const STATUSES_AT_ONCE = 256;

/** The chain as the configured nodes tell it. */
export class Chain {
  readonly #rpc: SolanaRpc;

  constructor(urls: readonly string[], timeoutMs?: number) {
    this.#rpc = new SolanaRpc(urls, timeoutMs);
  }

  /**
   * The network of the nodes, of which one at least must answer.
   *
   * @throws Error where nodes that answer serve different ones.
   */
  async readNetwork(): Promise<Network> {
    const answers = await Promise.allSettled(this.#rpc.each().map((node) => node.ask<string>('getGenesisHash', [])));
    const [first, ...others] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    if (first === undefined) throw new ChainUnavailableError('getGenesisHash failed');
    if (others.some((hash) => hash !== first)) throw new Error('the Solana nodes serve different networks');
    return networkOf(first);
  }

  /** The token's program and real decimals; throws UnsupportedMintError where it cannot be paid with. */
  async readMint(mint: string): Promise<MintTerms> {
    const { value } = await this.#rpc.ask<{ value: RawAccount | null }>(
      'getAccountInfo',
      [mint, { encoding: 'base64', commitment: 'confirmed' }],
      (answer) => answer.value !== null,
    );
    // A node may only be behind.
    if (value === null) throw new Error(`no node shows the token ${mint}`);
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

  /**
   * Pages of an account's confirmed history, newest first, down to but without `until`, all of them from one node: another
   * might not know where the last page ended. The first node that answers is taken; when it fails later, so does this.
   */
  async *historyOf(account: string, until: string | null): AsyncGenerator<HistoryRow[]> {
    const read = (rpc: SolanaRpc, before?: string) =>
      rpc.ask<HistoryRow[]>('getSignaturesForAddress', [
        account,
        { ...(before ? { before } : {}), ...(until ? { until } : {}), limit: HISTORY_PAGE, commitment: 'confirmed' },
      ]);
    const [node, page] = await this.#firstThat((rpc) => read(rpc));
    // Nodes may give fewer rows than asked for; only an empty page is the end.
    for (let rows = page; rows.length > 0; rows = await read(node, rows.at(-1)?.signature)) yield rows;
  }

  /**
   * Whether every node, each asked alone and each past `slot` for good, shows nothing of a transaction. A node that does not
   * answer, or is behind, may know it; and behind one address may be machines of which one lags.
   */
  async isGone(signature: string, slot: number): Promise<boolean> {
    const answers = await Promise.all(this.#rpc.each().map((node) => isGoneOn(node, signature, slot)));
    return answers.every(Boolean);
  }

  async #firstThat<T>(ask: (rpc: SolanaRpc) => Promise<T>): Promise<[SolanaRpc, T]> {
    let failure: unknown;
    for (const node of this.#rpc.each()) {
      try {
        return [node, await ask(node)];
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** Height of the newest block, by which blockhashes expire. */
  blockHeight(commitment: Commitment = 'confirmed'): Promise<number> {
    return this.#rpc.ask<number>('getBlockHeight', [{ commitment }]);
  }
}

async function isGoneOn(node: SolanaRpc, signature: string, slot: number): Promise<boolean> {
  const finalized = await node.ask<number>('getSlot', [{ commitment: 'finalized' }]);
  if (finalized < slot + SURE_SLOTS) return false;
  const [oldest, { context, value }] = await Promise.all([
    node.ask<number>('minimumLedgerSlot', []).catch(() => 0),
    node.ask<{ context: { slot: number }; value: (SignatureStatus | null)[] }>('getSignatureStatuses', [
      [signature],
      { searchTransactionHistory: true },
    ]),
  ]);
  const status = value[0] ?? null;
  const isAbsent = status === null || (status.err !== null && status.confirmationStatus !== 'processed');
  return isAbsent && oldest <= slot && context.slot >= finalized;
}
