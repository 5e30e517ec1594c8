import bs58 from 'bs58';
import type { InnerInstruction } from '../chain/engine.ts';
import type { TransactionRecord } from '../chain/ledger.ts';
import { type Instruction, isSigner, isWritable, type Message } from '../chain/transaction.ts';
import { parseInstruction } from './parse-instruction.ts';
import { invalidParams, RpcError, UNSUPPORTED_VERSION } from './rpc-error.ts';

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base64' | 'base58';

export function readTransactionEncoding(value: unknown): TransactionEncoding {
  if (value === undefined || value === null) return 'json';
  if (value === 'json' || value === 'jsonParsed' || value === 'base64' || value === 'base58') return value;
  throw invalidParams(`unsupported encoding: ${String(value)}`);
}

/** A record as `getTransaction` returns it. Refuses versions above the caller's maximum. */
export function encodeRecord(record: TransactionRecord, encoding: TransactionEncoding, maxVersion: unknown) {
  const { transaction, slot, blockTime } = record;
  const { version } = transaction.message;
  if (version !== 'legacy' && (typeof maxVersion !== 'number' || version > maxVersion)) {
    throw new RpcError(
      UNSUPPORTED_VERSION,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  }
  return {
    slot,
    blockTime,
    transaction: encodeTransaction(record, encoding),
    meta: encodeMeta(record, encoding),
    ...(typeof maxVersion === 'number' && { version }),
  };
}

function encodeTransaction(record: TransactionRecord, encoding: TransactionEncoding) {
  const { bytes, signatures, message } = record.transaction;
  if (encoding === 'base64') return [Buffer.from(bytes).toString('base64'), encoding];
  if (encoding === 'base58') return [bs58.encode(bytes), encoding];
  const extras = {
    ...(message.version === 0 && {
      addressTableLookups: message.lookups.map(({ table, writable, readonly }) => ({
        accountKey: table,
        writableIndexes: writable,
        readonlyIndexes: readonly,
      })),
    }),
    ...(message.config && { transactionConfig: message.config }),
  };
  const shared = { recentBlockhash: message.blockhash, ...extras };
  if (encoding === 'jsonParsed') {
    const instructions = message.instructions.map((instruction) => parseInstruction(instruction, record.keys, 1));
    return { signatures, message: { accountKeys: describeKeys(record), instructions, ...shared } };
  }
  return {
    signatures,
    message: {
      header: {
        numRequiredSignatures: message.signers,
        numReadonlySignedAccounts: message.readonlySigners,
        numReadonlyUnsignedAccounts: message.readonlyOthers,
      },
      accountKeys: message.keys,
      instructions: message.instructions.map(encodeInstruction),
      ...shared,
    },
  };
}

function encodeMeta(record: TransactionRecord, encoding: TransactionEncoding) {
  const { err, inner, loaded, returnData } = record;
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee: record.fee,
    preBalances: record.preBalances,
    postBalances: record.postBalances,
    innerInstructions: encoding === 'jsonParsed' ? encodeInner(inner, record.keys) : inner,
    logMessages: record.logs,
    preTokenBalances: record.preTokenBalances,
    postTokenBalances: record.postTokenBalances,
    rewards: [],
    ...(encoding !== 'jsonParsed' && { loadedAddresses: loaded }),
    ...(returnData && { returnData }),
    computeUnitsConsumed: record.units,
  };
}

/** Inner instructions, parsed if their program is known. */
export function encodeInner(inner: { index: number; instructions: InnerInstruction[] }[], keys: string[]) {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) =>
      parseInstruction({ programIndex: programIdIndex, accounts, data: bs58.decode(data) }, keys, stackHeight),
    ),
  }));
}

function encodeInstruction({ programIndex, accounts, data }: Instruction) {
  return { programIdIndex: programIndex, accounts, data: bs58.encode(data), stackHeight: 1 };
}

function describeKeys({ transaction: { message }, keys, loaded }: TransactionRecord) {
  return keys.map((pubkey, index) => ({
    pubkey,
    signer: isSigner(message, index),
    writable: isWritableKey(message, index, loaded.writable.length),
    source: index < message.keys.length ? 'transaction' : 'lookupTable',
  }));
}

function isWritableKey(message: Message, index: number, writableLoaded: number): boolean {
  return index < message.keys.length ? isWritable(message, index) : index - message.keys.length < writableLoaded;
}
