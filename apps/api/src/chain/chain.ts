import { associatedAccount, type MintTerms, readHolding, readMintAccount } from '@archive/solana/chain';
import { type Network, networkOf } from '@archive/solana/price';
import type { FetchedTransaction } from '@archive/solana/verify';
import { PublicKey } from '@solana/web3.js';
import { isAbsentEverywhere, type Trace } from './absence.ts';
import type {
  Answer,
  Blockhash,
  Commitment,
  HistoryRow,
  RawAccount,
  SignatureStatus,
  Simulation,
} from './node-answers.ts';
import { ChainUnavailableError, SolanaRpc } from './solana-rpc.ts';

const HISTORY_PAGE = 1_000;
const STATUSES_AT_ONCE = 256;
/** Calls for the network within this time share one look, even a failed one. */
const SHARED_MS = 1_000;

/** Lamports of a transaction's accounts, the fee payer's first. */
interface Balances {
  preBalances?: readonly number[];
  postBalances?: readonly number[];
}

interface Identity {
  genesisHash: string;
  /** Whether every node has answered. */
  isWhole: boolean;
}

/** The chain as the configured nodes show it. Every method throws ChainUnavailableError if no node answers. */
export class Chain {
  readonly #rpc: SolanaRpc;
  readonly #shared = new Map<string, Promise<unknown>>();
  #asked: Promise<Identity> | null = null;
  #identity: Identity | null = null;

  constructor(urls: readonly string[], timeoutMs?: number) {
    this.#rpc = new SolanaRpc(urls, timeoutMs);
  }

  /** Null before a node has answered. */
  get network(): Network | null {
    return this.#identity && networkOf(this.#identity.genesisHash);
  }

  /** Null before every node has answered. */
  get genesisHash(): string | null {
    return this.#identity?.isWhole ? this.#identity.genesisHash : null;
  }

  /**
   * The network of the nodes, of which at least one must answer.
   *
   * @throws Error where nodes that answer serve different ones.
   */
  async readNetwork(): Promise<Network> {
    return networkOf((await this.#identify()).genesisHash);
  }

  /** The genesis hash, on which all nodes must agree. */
  async readGenesisHash(): Promise<string> {
    const { genesisHash, isWhole } = await this.#identify();
    if (!isWhole) throw new ChainUnavailableError('getGenesisHash failed on one of the nodes');
    return genesisHash;
  }

  /** The token's program and decimals. Throws UnsupportedMintError if the token cannot be used for payments. */
  async readMint(mint: string): Promise<MintTerms> {
    const account = await this.#account(mint, 'confirmed');
    // Not a wrong setting: the node may lag.
    if (account === null) throw new Error(`no node shows the token ${mint}`);
    return readMintAccount(mint, decode(account));
  }

  /** Base units of a token in a wallet's associated account. It suffices if one node shows `enough`. */
  async holding(wallet: string, token: Pick<MintTerms, 'mint' | 'tokenProgram'>, enough: bigint): Promise<bigint> {
    const address = associatedAccount(wallet, token.mint, token.tokenProgram);
    const held = (account: RawAccount | null) => readHolding(address, { ...token, wallet }, account && decode(account));
    return held(await this.#account(address, 'confirmed', (account) => held(account) >= enough));
  }

  /** The program that owns an account; null if no node shows the account. */
  async ownerOf(address: string, commitment: Commitment = 'confirmed'): Promise<string | null> {
    return (await this.#account(address, commitment))?.owner ?? null;
  }

  /** Whether any of these addresses (at most 100) is an account of the program on some node. */
  async isAnyOf(addresses: readonly string[], program: string): Promise<boolean> {
    const hasOne = ({ value }: Answer<(RawAccount | null)[]>) => value.some((account) => account?.owner === program);
    const options = { encoding: 'base64', commitment: 'confirmed' };
    return hasOne(await this.#rpc.ask('getMultipleAccounts', [addresses, options], hasOne));
  }

  /** A transaction; null if no node shows it at this commitment. Simultaneous calls share one request. */
  getTransaction(signature: string, commitment: Commitment): Promise<FetchedTransaction | null> {
    const options = { encoding: 'json', commitment, maxSupportedTransactionVersion: 1 };
    return this.#share(`${commitment} ${signature}`, () =>
      this.#rpc.ask<FetchedTransaction | null>('getTransaction', [signature, options], (found) => found !== null),
    );
  }

  async statusOf(signature: string): Promise<SignatureStatus | null> {
    return (await this.statusesOf([signature]))[0] ?? null;
  }

  /** The status of each signature by position, searched in the whole history; null if no node knows it. */
  async statusesOf(signatures: readonly string[]): Promise<(SignatureStatus | null)[]> {
    const known = new Map<string, SignatureStatus>();
    for (let at = 0; at < signatures.length; at += STATUSES_AT_ONCE) {
      await this.#readStatuses(signatures.slice(at, at + STATUSES_AT_ONCE), known);
    }
    return signatures.map((signature) => known.get(signature) ?? null);
  }

  /**
   * Pages of an account's confirmed history, newest first, down to `until` (exclusive). All pages come from the first
   * node that answers, since another node might not know where the last page ended. If that node fails later, so does
   * this.
   */
  async *historyOf(account: string, until: string | null): AsyncGenerator<HistoryRow[]> {
    const read = (rpc: SolanaRpc, before?: string) =>
      rpc.ask<HistoryRow[]>('getSignaturesForAddress', [
        account,
        { ...(before ? { before } : {}), ...(until ? { until } : {}), limit: HISTORY_PAGE, commitment: 'confirmed' },
      ]);
    const [node, page] = await this.#firstThat((rpc) => read(rpc));
    // Nodes may return fewer rows than requested; only an empty page is the end.
    for (let rows = page; rows.length > 0; rows = await read(node, rows.at(-1)?.signature)) yield rows;
  }

  /** Whether all nodes show that a transaction finally has no effect. */
  isAbsent(trace: Trace): Promise<boolean> {
    return isAbsentEverywhere(this.#rpc.each(), trace);
  }

  /** Height of the newest block, which decides when blockhashes expire. */
  blockHeight(commitment: Commitment = 'confirmed'): Promise<number> {
    return this.#share(`${commitment} height`, () => this.#rpc.ask<number>('getBlockHeight', [{ commitment }]));
  }

  /** Whether the final chain of every node, asked alone, is past this height. */
  async isPast(height: number): Promise<boolean> {
    const heights = await Promise.all(
      this.#rpc.each().map((node) => node.ask<number>('getBlockHeight', [{ commitment: 'finalized' }])),
    );
    return heights.every((one) => one > height);
  }

  async latestBlockhash(): Promise<Blockhash> {
    const { value } = await this.#rpc.ask<Answer<Blockhash>>('getLatestBlockhash', [{ commitment: 'confirmed' }]);
    return value;
  }

  /** Lamports that a transaction cost its fee payer in total; null if no node shows it. */
  async costOf(signature: string): Promise<bigint | null> {
    const meta = (await this.getTransaction(signature, 'confirmed'))?.meta as Balances | null | undefined;
    const [before, after] = [meta?.preBalances?.[0], meta?.postBalances?.[0]];
    return before === undefined || after === undefined ? null : BigInt(before - after);
  }

  /** In lamports. */
  async balance(address: string): Promise<bigint> {
    const { value } = await this.#rpc.ask<Answer<number>>('getBalance', [address, { commitment: 'confirmed' }]);
    return BigInt(value);
  }

  /** Lamports that an account of this size must hold. */
  rentOf(bytes: number): Promise<number> {
    return this.#rpc.ask<number>('getMinimumBalanceForRentExemption', [bytes]);
  }

  /** Simulates a signed transaction without sending it. */
  async simulate(transaction: Uint8Array): Promise<Simulation> {
    const { value } = await this.#rpc.ask<Answer<Simulation>>('simulateTransaction', [
      Buffer.from(transaction).toString('base64'),
      // The newest state, since one of several nodes behind an address may lag.
      { encoding: 'base64', commitment: 'processed', sigVerify: true },
    ]);
    return value;
  }

  /** Sends a signed transaction (base64) to the first node that accepts it. Only the chain tells whether it lands. */
  send(transaction: string): Promise<string> {
    return this.#rpc.ask<string>('sendTransaction', [
      transaction,
      // Simulated before it was stored. Only this server repeats it, so that no node sends it after its blockhash has
      // expired.
      { encoding: 'base64', skipPreflight: true, maxRetries: 0 },
    ]);
  }

  /** Requests lamports; only on a local network. */
  requestAirdrop(address: string, lamports: bigint): Promise<string> {
    return this.#rpc.ask<string>('requestAirdrop', [address, Number(lamports)]);
  }

  /** Asks until every node has answered once. */
  #identify(): Promise<Identity> {
    this.#asked ??= this.#askIdentity().finally(() => {
      if (this.genesisHash === null) setTimeout(() => (this.#asked = null), SHARED_MS).unref();
    });
    return this.#asked;
  }

  async #askIdentity(): Promise<Identity> {
    const nodes = this.#rpc.each();
    const answers = await Promise.allSettled(nodes.map((node) => node.ask<string>('getGenesisHash', [])));
    const hashes = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    // The first answer stays valid, since a node that joins later may serve another network.
    const [genesisHash] = this.#identity ? [this.#identity.genesisHash] : hashes;
    if (genesisHash === undefined || hashes.length === 0) throw new ChainUnavailableError('getGenesisHash failed');
    if (hashes.some((hash) => hash !== genesisHash)) throw new Error('the Solana nodes serve different networks');
    this.#identity = { genesisHash, isWhole: hashes.length === nodes.length };
    return this.#identity;
  }

  /** Asks each node for the signatures that earlier nodes do not know. At least one node must answer. */
  async #readStatuses(signatures: readonly string[], known: Map<string, SignatureStatus>): Promise<void> {
    let hasAnswered = false;
    let failure: unknown;
    for (const node of this.#rpc.each()) {
      const asked = signatures.filter((signature) => !known.has(signature));
      if (asked.length === 0) return;
      try {
        const { value } = await node.ask<Answer<(SignatureStatus | null)[]>>('getSignatureStatuses', [
          asked,
          { searchTransactionHistory: true },
        ]);
        hasAnswered = true;
        for (const [index, status] of value.entries()) if (status) known.set(asked[index] as string, status);
      } catch (error) {
        failure = error;
      }
    }
    if (!hasAnswered && signatures.length > 0) throw failure;
  }

  /** Simultaneous equal requests share one call. */
  #share<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const shared = this.#shared.get(question) ?? ask().finally(() => this.#shared.delete(question));
    this.#shared.set(question, shared);
    return shared as Promise<T>;
  }

  async #account(
    address: string,
    commitment: Commitment,
    enough: (account: RawAccount | null) => boolean = (account) => account !== null,
  ): Promise<RawAccount | null> {
    const { value } = await this.#rpc.ask<Answer<RawAccount | null>>(
      'getAccountInfo',
      [address, { encoding: 'base64', commitment }],
      (answer) => enough(answer.value),
    );
    return value;
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
}

function decode(account: RawAccount) {
  return { ...account, owner: new PublicKey(account.owner), data: Buffer.from(account.data[0], 'base64') };
}
