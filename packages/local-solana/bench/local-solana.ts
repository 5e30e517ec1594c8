import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as spl from '@solana/spl-token';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { type LocalSolana, openLocalSolana } from '../src/index.ts';

const STARTS = 5;
const PAYMENTS = 1_500;
const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

export interface LocalSolanaFigures {
  /** Milliseconds from spawn to the first answer; median of some starts. */
  readyMs: number;
  /** Signed, simulated and executed payments per second: one after the other, and 16 at a time. */
  sequentialPerSecond: number;
  parallelPerSecond: number;
  /** Milliseconds to open a directory that holds all these payments. */
  reopenMs: number;
  /** Memory of the network's process after all payments. */
  memoryMegabytes: number;
}

/**
 * Measures the local network with real payments: create the account if missing, checked transfer, memo, with preflight.
 */
export async function benchLocalSolana(): Promise<LocalSolanaFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'local-solana-bench-'));
  try {
    const readyTimes: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const { solana, openMs } = await timedOpen(join(folder, `start-${start}`));
      readyTimes.push(openMs);
      await solana.close();
    }
    const directory = join(folder, 'payments');
    const { solana } = await timedOpen(directory);
    const sequentialPerSecond = await payAll(solana, 1);
    const parallelPerSecond = await payAll(solana, 16);
    const memoryMegabytes = residentMegabytes(solana.pid() ?? 0);
    await solana.close();
    const reopened = await timedOpen(directory);
    await reopened.solana.close();
    const readyMs = readyTimes.sort((a, b) => a - b)[STARTS >> 1] as number;
    return { readyMs, sequentialPerSecond, parallelPerSecond, reopenMs: reopened.openMs, memoryMegabytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timedOpen(directory: string): Promise<{ solana: LocalSolana; openMs: number }> {
  const from = performance.now();
  const solana = await openLocalSolana({ directory });
  await new Connection(solana.rpcUrl).getSlot();
  return { solana, openMs: Math.round(performance.now() - from) };
}

async function payAll(solana: LocalSolana, atOnce: number): Promise<number> {
  const connection = new Connection(solana.rpcUrl, 'processed');
  const payer = Keypair.generate();
  await connection.requestAirdrop(payer.publicKey, 100 * LAMPORTS_PER_SOL);
  const params = [payer.publicKey.toBase58(), '1000000'];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'amber_requestTokens', params });
  await fetch(solana.rpcUrl, { method: 'POST', body });
  const { blockhash } = await connection.getLatestBlockhash();
  const wires = Array.from({ length: PAYMENTS }, (_, index) => payment(solana, payer, blockhash, index));

  const from = performance.now();
  const sendSome = async (first: number) => {
    for (let index = first; index < PAYMENTS; index += atOnce) {
      await connection.sendRawTransaction(wires[index] as Uint8Array);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, first) => sendSome(first)));
  return Math.round(PAYMENTS / ((performance.now() - from) / 1000));
}

function payment(solana: LocalSolana, payer: Keypair, blockhash: string, index: number): Uint8Array {
  const mint = new PublicKey(solana.mint);
  const wallet = new PublicKey(solana.featureWallet);
  const from = spl.getAssociatedTokenAddressSync(mint, payer.publicKey);
  const to = spl.getAssociatedTokenAddressSync(mint, wallet);
  const instructions = [
    spl.createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, to, wallet, mint),
    spl.createTransferCheckedInstruction(from, mint, to, payer.publicKey, 1_000_000n, 6),
    new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(`payment ${index}`) }),
  ];
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([payer]);
  return transaction.serialize();
}

function residentMegabytes(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' });
  return Math.round(Number(stdout) / 1024);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await benchLocalSolana();
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name} ${value}\n`);
}
