import type { Answer, RawAccount, SignatureStatus } from './node-answers.ts';
import type { SolanaRpc } from './solana-rpc.ts';

/** Slots by which the finalized chain must be past a transaction before its absence means something. */
const SURE_SLOTS = 32;

/** What a transaction would have left, and the point that the final chain must be past before its absence counts. */
export interface Trace {
  signature: string;
  /** Where it was seen. */
  slot?: number;
  /** Of the last block that can hold it. */
  height?: number;
  /** The mint it makes, an account of that program. */
  token?: { mint: string; program: string };
}

/**
 * Whether every node, each asked itself, shows nothing of it, or its failure for good, with its final chain past the point. A node
 * that does not answer, or is behind, may know it; and behind one address may be machines of which one lags, so that each
 * answer itself must be as new, and reach back as far.
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
  // Of a payment, which had a slot, a final failure leaves nothing; of a launch it is an end of its own.
  const hasFailed = slot !== undefined && status?.err != null && status.confirmationStatus === 'finalized';
  const isNowhere = status === null || hasFailed;
  const isTokenThere = token !== undefined && account?.value?.owner === token.program;
  return isNewEnough && isNowhere && !isTokenThere && oldest <= (slot ?? oldest);
}
