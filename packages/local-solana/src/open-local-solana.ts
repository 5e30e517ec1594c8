import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Child } from './child.ts';
import { type Controls, makeControls, urls } from './controls.ts';
import type { ProcessSettings } from './network/protocol.ts';

const DEFAULT_SLOT_MS = 400;
const DEFAULT_FINALIZED_AFTER = 32;
const RESTART_PAUSE_MS = 100;
const MAX_RESTART_PAUSE_MS = 1_000;

export interface LocalSolanaOptions {
  /** Port for HTTP and WebSocket; the next port is used too. 0, the default, takes any free pair. */
  port?: number;
  /** Folder of the chain. Without one the chain is lost when the process ends. */
  directory?: string;
  /** Length of a slot in milliseconds (400). With 0 slots advance only by `control.advance`. */
  slotMs?: number;
  /** Slots until a transaction is finalized (32). */
  finalizedAfter?: number;
  log?: (line: string) => void;
}

export interface LocalSolana {
  rpcUrl: string;
  wsUrl: string;
  /** The project's token: SPL Token, 6 decimals. */
  mint: string;
  /** The wallet that receives payments. It is the same on every machine, and its key is public. */
  featureWallet: string;
  /** 64 bytes, for `Keypair.fromSecretKey`. */
  featureWalletSecret: Uint8Array;
  /** Differs for each new chain. */
  genesisHash: string;
  /** The process id, or undefined while it is being restarted. */
  pid(): number | undefined;
  control: Controls;
  /** Resolves when the chain is on disk and the process has ended. */
  close(): Promise<void>;
}

/**
 * Opens a private Solana network on this machine: LiteSVM with the real token, associated token account and memo
 * programs, behind the JSON-RPC and WebSocket of a node. It runs as a separate process and ends with its opener. After
 * a crash it is restarted at the same address; with a directory it keeps its chain. Rejects with one sentence if a port
 * or the directory is in use.
 *
 * ```ts
 * const solana = await openLocalSolana({ port: 8899, directory: '.data/solana' });
 * const connection = new Connection(solana.rpcUrl, 'confirmed');
 * await connection.requestAirdrop(wallet, LAMPORTS_PER_SOL);
 * await solana.control.advance(1); // the airdrop is confirmed
 * await solana.close();
 * ```
 */
export async function openLocalSolana(options: LocalSolanaOptions = {}): Promise<LocalSolana> {
  const log = options.log ?? (() => {});
  const { slotMs = DEFAULT_SLOT_MS, finalizedAfter = DEFAULT_FINALIZED_AFTER } = options;
  if (!(slotMs >= 0)) throw new RangeError('slotMs must be 0 or more.');
  if (!(finalizedAfter >= 1)) throw new RangeError('finalizedAfter must be 1 or more.');
  const memory = { paused: false, morePorts: new Set<number>() };
  const settings = (port: number): ProcessSettings => ({
    port,
    morePorts: [...memory.morePorts],
    directory: options.directory === undefined ? null : resolve(options.directory),
    slotMs,
    finalizedAfter,
    paused: memory.paused,
  });
  let closing = false;
  let child: Child | undefined;

  const first = await start(settings(options.port ?? 0), log);
  const { port, mint, featureWallet, featureWalletSecret, genesisHash } = first.report;
  const keep = async (running: Child) => {
    child = running;
    const reason = await running.ended;
    child = undefined;
    for (let tries = 1; !closing; tries += 1) {
      log(`The local Solana network stopped (${reason}) and is started again.`);
      const next = await start(settings(port), log).catch((error: Error) => log(error.message));
      if (!next) await delay(Math.min(tries * RESTART_PAUSE_MS, MAX_RESTART_PAUSE_MS));
      else if (closing) await next.child.stop();
      else return keep(next.child);
    }
  };
  const kept = keep(first.child);

  return {
    ...urls(port),
    mint,
    featureWallet,
    featureWalletSecret: new Uint8Array(Buffer.from(featureWalletSecret, 'base64')),
    genesisHash,
    pid: () => child?.pid,
    control: makeControls(
      (name, ...args) => {
        if (!child) return Promise.reject(new Error('The local Solana network is being started again.'));
        return child.call(name, ...args);
      },
      port,
      memory,
    ),
    close: async () => {
      closing = true;
      await child?.stop();
      await kept;
    },
  };
}

async function start(settings: ProcessSettings, log: (line: string) => void) {
  try {
    return await Child.start(settings, log);
  } catch (error) {
    throw new Error(`The local Solana network did not start: ${(error as Error).message}.`);
  }
}
