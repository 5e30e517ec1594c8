import { type LocalSolana, openLocalSolana } from '@archive/local-solana';
import * as spl from '@solana/spl-token';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { associatedAccount, type MintTerms } from '../src/chain.ts';
import type { FetchedTransaction } from '../src/fetched-transaction.ts';

export interface Network extends LocalSolana {
  connection: Connection;
  rpc<Result>(method: string, params: unknown[]): Promise<Result>;
  /** A wallet with 10 SOL. */
  wallet(): Promise<Keypair>;
  /** Signs over the newest blockhash, sends without preflight, and resolves to the signature when it is confirmed. */
  run(instructions: TransactionInstruction[], signers: Keypair[]): Promise<string>;
  send(transaction: VersionedTransaction, signers: Keypair[]): Promise<string>;
  /** The raw result of `getTransaction`, as the API requests it. */
  fetched(signature: string): Promise<FetchedTransaction | null>;
  /**
   * Makes a mint with the given extensions and the instructions that set them up. Each wallet's account holds
   * `EACH_HOLDS` base units.
   */
  makeToken(to: {
    tokenProgram: string;
    holders: Keypair[];
    extensions?: spl.ExtensionType[];
    setUp?: (mint: PublicKey) => TransactionInstruction[];
    freezeAuthority?: Keypair;
  }): Promise<MintTerms>;
}

export const EACH_HOLDS = 900_000_000n;

/** A local network whose slots advance only when a transaction is sent. */
export async function _openNetwork(): Promise<Network> {
  const solana = await openLocalSolana({ slotMs: 0 });
  const connection = new Connection(solana.rpcUrl, { commitment: 'confirmed', wsEndpoint: solana.wsUrl });
  const payer = Keypair.generate();

  const network: Network = {
    ...solana,
    connection,
    rpc: async <Result>(method: string, params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(solana.rpcUrl, { method: 'POST', headers, body });
      const answer = (await response.json()) as { result: Result; error?: { message: string } };
      if (answer.error) throw new Error(answer.error.message);
      return answer.result;
    },
    wallet: async () => {
      const wallet = Keypair.generate();
      await fund(wallet);
      return wallet;
    },
    run: async (instructions, signers) => {
      const { blockhash: recentBlockhash } = await connection.getLatestBlockhash('confirmed');
      const payerKey = (signers[0] as Keypair).publicKey;
      const message = new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message();
      return network.send(new VersionedTransaction(message), signers);
    },
    send: async (transaction, signers) => {
      transaction.sign(signers);
      const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
      await solana.control.advance(2);
      return signature;
    },
    fetched: (signature) => {
      const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
      return network.rpc('getTransaction', [signature, options]);
    },
    makeToken: async ({ tokenProgram, holders, extensions = [], setUp = () => [], freezeAuthority }) => {
      const mint = Keypair.generate();
      const program = new PublicKey(tokenProgram);
      const space = spl.getMintLen(extensions);
      const lamports = await connection.getMinimumBalanceForRentExemption(space);
      const created = { fromPubkey: payer.publicKey, newAccountPubkey: mint.publicKey, space, lamports };
      const freezer = freezeAuthority?.publicKey ?? null;
      const make = [
        SystemProgram.createAccount({ ...created, programId: program }),
        ...setUp(mint.publicKey),
        spl.createInitializeMintInstruction(mint.publicKey, 6, payer.publicKey, freezer, program),
      ];
      await network.run(make, [payer, mint]);
      const address = mint.publicKey.toBase58();
      for (const holder of holders) {
        const account = new PublicKey(associatedAccount(holder.publicKey.toBase58(), address, tokenProgram));
        const open = spl.createAssociatedTokenAccountIdempotentInstruction(
          payer.publicKey,
          account,
          holder.publicKey,
          mint.publicKey,
          program,
        );
        const fill = spl.createMintToInstruction(mint.publicKey, account, payer.publicKey, EACH_HOLDS, [], program);
        await network.run([open, fill], [payer]);
      }
      return { mint: address, tokenProgram, decimals: 6 };
    },
  };
  const fund = async (wallet: Keypair) => {
    await connection.requestAirdrop(wallet.publicKey, 10 * LAMPORTS_PER_SOL);
    await solana.control.advance(2);
  };
  await fund(payer);
  return network;
}
