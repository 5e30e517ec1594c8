import bs58 from 'bs58';
import { addressBytes, signatureBytes } from '../chain/bytes.ts';
import type { Chain } from '../chain/chain.ts';
import type { Commitment } from '../chain/clock.ts';
import type { TransactionRecord } from '../chain/ledger.ts';
import { invalidParams, MIN_CONTEXT_SLOT, RpcError } from './rpc-error.ts';

export const API_VERSION = '3.1.0-local';
const MAX_U64 = 2n ** 64n - 1n;

/** An endpoint's view of the chain; a healthy endpoint sees everything at once. */
export interface Lens {
  lagSlots: number;
  hidesTransactions: boolean;
  losesTransactions: boolean;
}

export type Config = Record<string, unknown>;

/** One JSON-RPC call: its strictly parsed parameters, and the chain in its endpoint's view. */
export class Call {
  readonly chain: Chain;
  readonly lens: Lens;
  readonly #params: unknown[];

  constructor(chain: Chain, lens: Lens, params: unknown) {
    if (params !== undefined && params !== null && !Array.isArray(params)) throw invalidParams('expected an array');
    this.chain = chain;
    this.lens = lens;
    this.#params = params ?? [];
  }

  has(index: number): boolean {
    return this.#params[index] !== undefined && this.#params[index] !== null;
  }

  text(index: number): string {
    const value = this.#params[index];
    if (typeof value !== 'string') throw invalidParams(`a string is expected at position ${index}`);
    return value;
  }

  address(index: number): string {
    return readAddress(this.#params[index]);
  }

  signature(index: number): string {
    return readSignature(this.#params[index]);
  }

  list(index: number, limit: number): unknown[] {
    const value = this.#params[index];
    if (!Array.isArray(value)) throw invalidParams(`an array is expected at position ${index}`);
    if (value.length > limit) throw invalidParams(`Too many inputs provided; max ${limit}`);
    return value;
  }

  u64(index: number): bigint {
    const value = this.#params[index];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || BigInt(value) > MAX_U64) {
      throw invalidParams(`a whole number is expected at position ${index}`);
    }
    return BigInt(value);
  }

  /** The settings object. Older forms with only the commitment are accepted. */
  config(index: number): Config {
    const value = this.#params[index];
    if (value === undefined || value === null) return {};
    if (typeof value === 'string') return { commitment: value };
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw invalidParams(`an object is expected at position ${index}`);
    }
    return value as Config;
  }

  /** The newest slot that this call may see. */
  slot(config: Config, commitment = readCommitment(config['commitment'])): number {
    const slot = this.chain.clock.slotAt(commitment) - this.lens.lagSlots;
    const wanted = config['minContextSlot'];
    if (typeof wanted === 'number' && wanted > slot) {
      throw new RpcError(MIN_CONTEXT_SLOT, 'Minimum context slot has not been reached', { contextSlot: slot });
    }
    return slot;
  }

  answer<T>(slot: number, value: T): { context: { slot: number; apiVersion: string }; value: T } {
    return { context: { slot, apiVersion: API_VERSION }, value };
  }

  /** A record, if it is visible at a slot. */
  record(signature: string, slot: number): TransactionRecord | undefined {
    const record = this.chain.ledger.get(signature);
    return record && record.slot <= slot ? record : undefined;
  }
}

export function readCommitment(value: unknown): Commitment {
  if (value === undefined || value === null) return 'finalized';
  if (value === 'processed' || value === 'confirmed' || value === 'finalized') return value;
  throw invalidParams('unknown commitment');
}

/** History methods do not support a commitment below `confirmed`. */
export function readHistoryCommitment(value: unknown): Commitment {
  const commitment = readCommitment(value);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

export function readAddress(value: unknown): string {
  const bytes = addressBytes(value);
  if (!bytes) throw invalidParams('an address is expected: 32 bytes in base58');
  return bs58.encode(bytes);
}

export function readSignature(value: unknown): string {
  const bytes = signatureBytes(value);
  if (!bytes) throw invalidParams('a signature is expected: 64 bytes in base58');
  return bs58.encode(bytes);
}

export function readBytes(value: string, encoding: unknown): Uint8Array {
  if (encoding === 'base64') {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.toString('base64').replace(/=+$/, '') !== value.replace(/=+$/, '')) throw invalidParams('invalid base64');
    return new Uint8Array(bytes);
  }
  if (encoding !== undefined && encoding !== null && encoding !== 'base58') {
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`);
  }
  const bytes = value.length > 7_000 ? undefined : bs58.decodeUnsafe(value);
  if (!bytes) throw invalidParams('invalid base58');
  return bytes;
}
