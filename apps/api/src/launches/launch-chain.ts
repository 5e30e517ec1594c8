import type { SignatureStatus } from '../chain/chain.ts';
import { SolanaRpc } from '../chain/solana-rpc.ts';

export interface Blockhash {
  blockhash: string;
  lastValidBlockHeight: number;
}

export interface Simulation {
  err: unknown;
  logs: string[] | null;
}

interface Answer<T> {
  /** As of when the answering machine saw the chain. */
  context: { slot: number };
  value: T;
}

interface RawAccount {
  owner: string;
}

/** What launching asks of the configured nodes; every method throws ChainUnavailableError where none answers. */
export class LaunchChain {
  readonly #rpc: SolanaRpc;

  constructor(urls: readonly string[], timeoutMs?: number) {
    this.#rpc = new SolanaRpc(urls, timeoutMs);
  }

  /** @throws Error where the nodes serve different networks. */
  async genesisHash(): Promise<string> {
    const [first = '', ...others] = await this.#rpc.askEach<string>('getGenesisHash', []);
    if (others.some((hash) => hash !== first)) throw new Error('the Solana nodes serve different networks');
    return first;
  }

  async latestBlockhash(): Promise<Blockhash> {
    const { value } = await this.#rpc.ask<Answer<Blockhash>>('getLatestBlockhash', [{ commitment: 'confirmed' }]);
    return value;
  }

  /** Lamports. */
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

  /** Status of a signature, searched in the whole history of each node in turn; null where none knows it. */
  async status(signature: string): Promise<SignatureStatus | null> {
    const { value } = await this.#rpc.ask<Answer<(SignatureStatus | null)[]>>(
      'getSignatureStatuses',
      [[signature], { searchTransactionHistory: true }],
      (answer) => answer.value[0] !== null,
    );
    return value[0] ?? null;
  }

  /** The program that owns an account, or null where no node shows it. */
  async ownerOf(address: string, commitment: 'confirmed' | 'finalized' = 'confirmed'): Promise<string | null> {
    const { value } = await this.#rpc.ask<Answer<RawAccount | null>>(
      'getAccountInfo',
      [address, { encoding: 'base64', commitment }],
      (answer) => answer.value !== null,
    );
    return value?.owner ?? null;
  }

  /** Whether any of these, at most 100, is an account of a program, as far as a node shows it. */
  async isAnyOf(addresses: readonly string[], program: string): Promise<boolean> {
    const hasOne = ({ value }: Answer<(RawAccount | null)[]>) => value.some((account) => account?.owner === program);
    const options = { encoding: 'base64', commitment: 'confirmed' };
    return hasOne(await this.#rpc.ask('getMultipleAccounts', [addresses, options], hasOne));
  }

  /**
   * Whether every node, each asked itself, shows neither the transaction nor an account of the mint's program, with its
   * final chain past `height`. Behind one address may be machines of which one lags: each answer itself must be as new.
   */
  async isAbsent(launch: { signature: string; mint: string; tokenProgram: string; height: number }): Promise<boolean> {
    const answers = await Promise.all(this.#rpc.each().map((node) => isAbsentOn(node, launch)));
    return answers.every(Boolean);
  }

  /** Whether for every node, each asked itself, the final chain is past this height. */
  async isPast(height: number): Promise<boolean> {
    const heights = await this.#rpc.askEach<number>('getBlockHeight', [{ commitment: 'finalized' }]);
    return heights.every((one) => one > height);
  }

  /** On a local network: lamports out of nothing. */
  requestAirdrop(address: string, lamports: bigint): Promise<string> {
    return this.#rpc.ask<string>('requestAirdrop', [address, Number(lamports)]);
  }
}

async function isAbsentOn(
  node: SolanaRpc,
  { signature, mint, tokenProgram, height }: Parameters<LaunchChain['isAbsent']>[0],
): Promise<boolean> {
  const { absoluteSlot, blockHeight } = await node.ask<{ absoluteSlot: number; blockHeight: number }>('getEpochInfo', [
    { commitment: 'finalized' },
  ]);
  if (blockHeight <= height) return false;
  const [statuses, account] = await Promise.all([
    node.ask<Answer<(SignatureStatus | null)[]>>('getSignatureStatuses', [
      [signature],
      { searchTransactionHistory: true },
    ]),
    node.ask<Answer<RawAccount | null>>('getAccountInfo', [mint, { encoding: 'base64', commitment: 'confirmed' }]),
  ]);
  const isNewEnough = statuses.context.slot >= absoluteSlot && account.context.slot >= absoluteSlot;
  return isNewEnough && (statuses.value[0] ?? null) === null && account.value?.owner !== tokenProgram;
}
