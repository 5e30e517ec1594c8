import type { Answer, RawAccount, SignatureStatus } from './node-answers.ts';
import type { SolanaRpc } from './solana-rpc.ts';

/** Slots that the finalized chain must be past a transaction before its absence counts. */
const SURE_SLOTS = 32;

/** The traces of a transaction, and the point that the final chain must have passed before their absence counts. */
export interface Trace {
  signature: string;
  /** The slot in which it was seen. */
  slot?: number;
  /** Height of the last block that can contain it. */
  height?: number;
  /** The mint that it creates, an account of that program. */
  token?: { mint: string; program: string };
}

/**
 * Whether every node, asked alone, shows no trace of the transaction, or its final failure, with its final chain past
 * the point. A node that does not answer or lags may still know it. One address may hide several machines of which one
 * lags, so each answer must itself be recent enough and reach back far enough.
 */
export async function isAbsentEverywhere(nodes: readonly SolanaRpc[], trace: Trace): Promise<boolean> {
  return (await Promise.all(nodes.map((node) => isAbsentOn(node, trace)))).every(Boolean);
}

async function isAbsentOn(node: SolanaRpc, { signature, slot, height = 0, token }: Trace): Promise<boolean> {
  const { absoluteSlot, blockHeight } = await node.ask<{ absoluteSlot: number; blockHeight: number }>('getEpochInfo', [
    { commitment: 'finalized' },
  ]);
  if (blockHeight <= height || (slot !== undefined && absoluteSlot < slot + SURE_SLOTS)) return false;
  const [oldest, statuses, account] = await Promise.all([
    slot === undefined ? 0 : node.ask<number>('minimumLedgerSlot', []).catch(() => 0),
    node.ask<Answer<(SignatureStatus | null)[]>>('getSignatureStatuses', [
      [signature],
      { searchTransactionHistory: true },
    ]),
    token &&
      node.ask<Answer<RawAccount | null>>('getAccountInfo', [
        token.mint,
        { encoding: 'base64', commitment: 'confirmed' },
      ]),
  ]);
  const isNewEnough = [statuses, account].every((answer) => !answer || answer.context.slot >= absoluteSlot);
  const status = statuses.value[0] ?? null;
  // A payment with a slot has no effect if it finally failed. For a launch, a failure is handled elsewhere.
  const hasFailed = slot !== undefined && status?.err != null && status.confirmationStatus === 'finalized';
  const isNowhere = status === null || hasFailed;
  const isTokenThere = token !== undefined && account?.value?.owner === token.program;
  return isNewEnough && isNowhere && !isTokenThere && oldest <= (slot ?? oldest);
}
