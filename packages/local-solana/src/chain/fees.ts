import { ByteReader } from './bytes.ts';
import { COMPUTE_BUDGET } from './programs.ts';
import type { Message } from './transaction.ts';

const LAMPORTS_PER_SIGNATURE = 5_000;
const DEFAULT_UNITS_PER_INSTRUCTION = 200_000;
const MAX_UNITS = 1_400_000;
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;
const MICRO = 1_000_000n;

/** The fee of a message, in lamports: for its signatures, and for its compute units at the price that it offers. */
export function messageFee(message: Message): number {
  const base = message.signers * LAMPORTS_PER_SIGNATURE;
  if (message.config) return base + (message.config.priorityFee ?? 0);
  let price = 0n;
  let limit: number | undefined;
  let others = 0;
  for (const { programIndex, data } of message.instructions) {
    if (message.keys[programIndex] !== COMPUTE_BUDGET) others += 1;
    else if (data[0] === SET_UNIT_LIMIT && data.length === 5) limit = new ByteReader(data.subarray(1)).u32();
    else if (data[0] === SET_UNIT_PRICE && data.length === 9) price = new ByteReader(data.subarray(1)).u64();
  }
  const units = Math.min(limit ?? others * DEFAULT_UNITS_PER_INSTRUCTION, MAX_UNITS);
  return base + Number((price * BigInt(units) + MICRO - 1n) / MICRO);
}
