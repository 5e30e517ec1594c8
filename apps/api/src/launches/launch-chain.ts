import bs58 from 'bs58';
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

  /** Whether every node, each asked itself, shows neither the transaction nor an account of the mint's program. */
  async isAbsent(signature: string, mint: string, tokenProgram: string): Promise<boolean> {
    const [statuses, accounts] = await Promise.all([
      this.#rpc.askEach<Answer<(SignatureStatus | null)[]>>('getSignatureStatuses', [
        [signature],
        { searchTransactionHistory: true },
      ]),
      this.#rpc.askEach<Answer<RawAccount | null>>('getAccountInfo', [
        mint,
        { encoding: 'base64', commitment: 'confirmed' },
      ]),
    ]);
    return (
      statuses.every(({ value }) => (value[0] ?? null) === null) &&
      accounts.every(({ value }) => value?.owner !== tokenProgram)
    );
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

/** A signature of 64 bytes as it names a transaction. */
export function signatureText(signature: Uint8Array): string {
  return bs58.encode(signature);
}
