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
/** Who asks for the network within this time shares one look, also where it failed. */
const SHARED_MS = 1_000;

/** Lamports of a transaction's accounts, the one that pays first. */
interface Balances {
  preBalances?: readonly number[];
  postBalances?: readonly number[];
}

interface Identity {
  genesisHash: string;
  /** Whether every node has told. */
  isWhole: boolean;
}

/** The chain as the configured nodes tell it; every question throws ChainUnavailableError where none answers. */
export class Chain {
  readonly #rpc: SolanaRpc;
  readonly #shared = new Map<string, Promise<unknown>>();
  #asked: Promise<Identity> | null = null;
  #identity: Identity | null = null;

  constructor(urls: readonly string[], timeoutMs?: number) {
    this.#rpc = new SolanaRpc(urls, timeoutMs);
  }

  /** Null before a node has told. */
  get network(): Network | null {
    return this.#identity && networkOf(this.#identity.genesisHash);
  }

  /** Null before every node has told. */
  get genesisHash(): string | null {
    return this.#identity?.isWhole ? this.#identity.genesisHash : null;
  }

  /**
   * The network of the nodes, of which one at least must answer.
   *
   * @throws Error where nodes that answer serve different ones.
   */
  async readNetwork(): Promise<Network> {
    return networkOf((await this.#identify()).genesisHash);
  }

  /** What names the chain itself, as every one of the nodes must tell. */
  async readGenesisHash(): Promise<string> {
    const { genesisHash, isWhole } = await this.#identify();
    if (!isWhole) throw new ChainUnavailableError('getGenesisHash failed on one of the nodes');
    return genesisHash;
  }

  /** The token's program and real decimals; throws UnsupportedMintError where it cannot be paid with. */
  async readMint(mint: string): Promise<MintTerms> {
    const account = await this.#account(mint, 'confirmed');
    // A node may only be behind.
    if (account === null) throw new Error(`no node shows the token ${mint}`);
    return readMintAccount(mint, decode(account));
  }

  /** Base units of a token in a wallet's associated account; of several nodes one that shows `enough` is believed. */
  async holding(wallet: string, token: Pick<MintTerms, 'mint' | 'tokenProgram'>, enough: bigint): Promise<bigint> {
    const address = associatedAccount(wallet, token.mint, token.tokenProgram);
    const held = (account: RawAccount | null) => readHolding(address, { ...token, wallet }, account && decode(account));
    return held(await this.#account(address, 'confirmed', (account) => held(account) >= enough));
  }

  /** The program that owns an account, or null where no node shows it. */
  async ownerOf(address: string, commitment: Commitment = 'confirmed'): Promise<string | null> {
    return (await this.#account(address, commitment))?.owner ?? null;
  }

  /** Whether any of these, at most 100, is an account of a program, as far as a node shows it. */
  async isAnyOf(addresses: readonly string[], program: string): Promise<boolean> {
    const hasOne = ({ value }: Answer<(RawAccount | null)[]>) => value.some((account) => account?.owner === program);
    const options = { encoding: 'base64', commitment: 'confirmed' };
    return hasOne(await this.#rpc.ask('getMultipleAccounts', [addresses, options], hasOne));
  }

  /** A transaction, or null where no node shows it at this commitment; whoever asks meanwhile shares the question. */
  getTransaction(signature: string, commitment: Commitment): Promise<FetchedTransaction | null> {
    const options = { encoding: 'json', commitment, maxSupportedTransactionVersion: 1 };
    return this.#share(`${commitment} ${signature}`, () =>
      this.#rpc.ask<FetchedTransaction | null>('getTransaction', [signature, options], (found) => found !== null),
    );
  }

  async statusOf(signature: string): Promise<SignatureStatus | null> {
    return (await this.statusesOf([signature]))[0] ?? null;
  }

  /** Status of each signature by its position, searched in the whole history; null where no node knows it. */
  async statusesOf(signatures: readonly string[]): Promise<(SignatureStatus | null)[]> {
    const known = new Map<string, SignatureStatus>();
    for (let at = 0; at < signatures.length; at += STATUSES_AT_ONCE) {
      await this.#readStatuses(signatures.slice(at, at + STATUSES_AT_ONCE), known);
    }
    return signatures.map((signature) => known.get(signature) ?? null);
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

  /** Whether no node shows anything of a transaction any more, for good. */
  isAbsent(trace: Trace): Promise<boolean> {
    return isAbsentEverywhere(this.#rpc.each(), trace);
  }

  /** Height of the newest block, by which blockhashes expire. */
  blockHeight(commitment: Commitment = 'confirmed'): Promise<number> {
    return this.#share(`${commitment} height`, () => this.#rpc.ask<number>('getBlockHeight', [{ commitment }]));
  }

  /** Whether for every node, each asked itself, the final chain is past this height. */
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

  /** Lamports. */
  /** Lamports that a transaction took from whom paid for it, all in all; null where no node shows it. */
  async costOf(signature: string): Promise<bigint | null> {
    const meta = (await this.getTransaction(signature, 'confirmed'))?.meta as Balances | null | undefined;
    const [before, after] = [meta?.preBalances?.[0], meta?.postBalances?.[0]];
    return before === undefined || after === undefined ? null : BigInt(before - after);
  }

  async balance(address: string): Promise<bigint> {
    const { value } = await this.#rpc.ask<Answer<number>>('getBalance', [address, { commitment: 'confirmed' }]);
    return BigInt(value);
  }

  /** Lamports that an account of so many bytes must hold. */
  rentOf(bytes: number): Promise<number> {
    return this.#rpc.ask<number>('getMinimumBalanceForRentExemption', [bytes]);
  }

  /** Runs a signed transaction without sending it. */
  async simulate(transaction: Uint8Array): Promise<Simulation> {
    const { value } = await this.#rpc.ask<Answer<Simulation>>('simulateTransaction', [
      Buffer.from(transaction).toString('base64'),
      // The newest state: of several nodes behind one address this one may lag a little.
      { encoding: 'base64', commitment: 'processed', sigVerify: true },
    ]);
    return value;
  }

  /** Hands a signed transaction, in base64, to the first node that takes it; whether it lands, only the chain can tell. */
  send(transaction: string): Promise<string> {
    return this.#rpc.ask<string>('sendTransaction', [
      transaction,
      // Simulated before it was kept. Sent again by us alone, so that all of it stops when its blockhash is dead.
      { encoding: 'base64', skipPreflight: true, maxRetries: 0 },
    ]);
  }

  /** On a local network: lamports out of nothing. */
  requestAirdrop(address: string, lamports: bigint): Promise<string> {
    return this.#rpc.ask<string>('requestAirdrop', [address, Number(lamports)]);
  }

  /** Asked until every node has told, and never again. */
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
    // What was told before holds: a node that joins later may be of another network.
    const [genesisHash] = this.#identity ? [this.#identity.genesisHash] : hashes;
    if (genesisHash === undefined || hashes.length === 0) throw new ChainUnavailableError('getGenesisHash failed');
    if (hashes.some((hash) => hash !== genesisHash)) throw new Error('the Solana nodes serve different networks');
    this.#identity = { genesisHash, isWhole: hashes.length === nodes.length };
    return this.#identity;
  }

  /** Each node is asked for what those before it do not know, so that no signature hides another; one must answer. */
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

  /** Equal questions at the same time are one. */
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
