import type { TransactionRecord } from '../chain/ledger.ts';
import { type Call, readHistoryCommitment, readSignature } from './call.ts';
import { encodeRecord, readTransactionEncoding } from './encode-transaction.ts';
import { invalidParams } from './rpc-error.ts';

const MAX_SIGNATURES = 1_000;
const MAX_STATUSES = 256;
/** Slots whose statuses a node knows without searching its history. */
const STATUS_SLOTS = 300;

export function getTransaction(call: Call) {
  const signature = call.signature(0);
  const config = call.config(1);
  const encoding = readTransactionEncoding(config['encoding']);
  const slot = call.slot(config, readHistoryCommitment(config['commitment']));
  const record = call.lens.hidesTransactions ? undefined : call.record(signature, slot);
  return record ? encodeRecord(record, encoding, config['maxSupportedTransactionVersion']) : null;
}

/** Returns signatures newest first, from below `before` down to above `until`. */
export function getSignaturesForAddress(call: Call) {
  const address = call.address(0);
  const config = call.config(1);
  const slot = call.slot(config, readHistoryCommitment(config['commitment']));
  const limit = config['limit'] ?? MAX_SIGNATURES;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > MAX_SIGNATURES) {
    throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
  }
  const newestFirst = call.chain.ledger
    .naming(address)
    .filter((record) => record.slot <= slot)
    .reverse();
  const before = readBound(call, config['before']);
  const until = readBound(call, config['until']);
  if (before === null) return [];
  const order = call.chain.ledger;
  const found = newestFirst.filter(
    (record) => (!before || order.isBefore(record, before)) && (!until || order.isBefore(until, record)),
  );
  return found.slice(0, limit).map((record) => ({
    signature: record.transaction.signature,
    slot: record.slot,
    err: record.err,
    memo: record.memo,
    blockTime: record.blockTime,
    confirmationStatus: call.chain.clock.commitmentOf(record.slot + call.lens.lagSlots),
  }));
}

export function getSignatureStatuses(call: Call) {
  const signatures = call.list(0, MAX_STATUSES).map(readSignature);
  const searches = call.config(1)['searchTransactionHistory'] === true;
  const slot = call.slot({ commitment: 'processed' });
  const statuses = signatures.map((signature) => {
    const record = call.record(signature, slot);
    return record && (searches || record.slot > slot - STATUS_SLOTS) ? describeStatus(call, record, slot) : null;
  });
  return call.answer(slot, statuses);
}

function describeStatus(call: Call, { slot, err }: TransactionRecord, now: number) {
  const confirmationStatus = call.chain.clock.commitmentOf(slot + call.lens.lagSlots);
  return {
    slot,
    confirmations: confirmationStatus === 'finalized' ? null : now - slot,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus,
  };
}

/** The record of a signature that bounds a search; null if the given signature is unknown. */
function readBound(call: Call, value: unknown): TransactionRecord | null | undefined {
  if (value === undefined || value === null) return undefined;
  return call.chain.ledger.get(readSignature(value)) ?? null;
}
