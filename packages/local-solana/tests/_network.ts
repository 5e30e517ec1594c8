import * as spl from '@solana/spl-token';
import {
  type Commitment,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  type Signer,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { type LocalSolana, type LocalSolanaOptions, openLocalSolana } from '../src/index.ts';

export const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

interface RpcAnswer {
  id?: number | null;
  result?: unknown;
  error?: { code: number; message: string; data?: { err: unknown; logs: string[] } };
}

export interface TestNetwork extends LocalSolana {
  connect(commitment?: Commitment, rpcUrl?: string): Connection;
  rpc(method: string, params?: unknown, rpcUrl?: string): Promise<RpcAnswer>;
  /** A wallet with 10 SOL and 1,000 project tokens, confirmed. */
  fundedWallet(): Promise<Keypair>;
  /** A payment to the feature wallet, signed over the newest blockhash. */
  payment(payer: Keypair, baseUnits: bigint, memo: string): Promise<VersionedTransaction>;
}

/** Opens a network whose slots advance only on request, unless `options` differ. */
export async function openNetwork(options: LocalSolanaOptions = {}): Promise<TestNetwork> {
  const solana = await openLocalSolana({ slotMs: 0, ...options });
  const connections: Connection[] = [];
  const connect = (commitment: Commitment = 'confirmed', rpcUrl = solana.rpcUrl) => {
    const connection = new Connection(rpcUrl, { commitment, disableRetryOnRateLimit: true });
    connections.push(connection);
    return connection;
  };
  const rpc = (method: string, params: unknown = [], rpcUrl = solana.rpcUrl) =>
    post(rpcUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return {
    ...solana,
    connect,
    rpc,
    fundedWallet: async () => {
      const wallet = Keypair.generate();
      const address = wallet.publicKey.toBase58();
      await rpc('requestAirdrop', [address, 10 * LAMPORTS_PER_SOL]);
      await rpc('amber_requestTokens', [address, '1000']);
      await solana.control.advance(1);
      return wallet;
    },
    payment: async (payer, baseUnits, memo) => {
      const mint = new PublicKey(solana.mint);
      const wallet = new PublicKey(solana.featureWallet);
      const from = spl.getAssociatedTokenAddressSync(mint, payer.publicKey);
      const to = spl.getAssociatedTokenAddressSync(mint, wallet);
      const steps = [
        spl.createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, to, wallet, mint),
        spl.createTransferCheckedInstruction(from, mint, to, payer.publicKey, baseUnits, 6),
        memoInstruction(memo),
      ];
      const { result } = await rpc('getLatestBlockhash', [{ commitment: 'processed' }]);
      return sign(steps, [payer], (result as { value: { blockhash: string } }).value.blockhash);
    },
    close: async () => {
      for (const connection of connections) closeSocket(connection);
      await solana.close();
    },
  };
}

export async function post(url: string, body: string): Promise<RpcAnswer> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return (await response.json()) as RpcAnswer;
}

export function memoInstruction(text: string): TransactionInstruction {
  return new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text) });
}

export function sign(steps: TransactionInstruction[], signers: Signer[], blockhash: string): VersionedTransaction {
  const payerKey = (signers[0] as Signer).publicKey;
  const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions: steps });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign(signers);
  return transaction;
}

export function base64(transaction: { serialize(): Uint8Array }): string {
  return Buffer.from(transaction.serialize()).toString('base64');
}

/** Otherwise the client would try to reconnect for ever after the network has ended. */
function closeSocket(connection: Connection): void {
  const { _rpcWebSocket: socket } = connection as unknown as { _rpcWebSocket: { close(): void } };
  socket.close();
}
