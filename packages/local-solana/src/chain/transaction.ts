import bs58 from 'bs58';
import { ByteReader, MalformedError } from './bytes.ts';

/** Maximum bytes of a transaction: one packet. Version 1 has a larger limit. */
export const LEGACY_SIZE_LIMIT = 1_232;
export const V1_SIZE_LIMIT = 4_096;

const SIGNATURE_BYTES = 64;
const VERSION_FLAG = 0x80;
const V1_PREFIX = VERSION_FLAG | 1;
const MAX_KEYS = 256;

export interface Instruction {
  programIndex: number;
  accounts: number[];
  data: Uint8Array;
}

export interface TableLookup {
  table: string;
  writable: number[];
  readonly: number[];
}

export interface Message {
  version: 'legacy' | 0 | 1;
  signers: number;
  readonlySigners: number;
  readonlyOthers: number;
  /** The static keys, without those from lookup tables. */
  keys: string[];
  blockhash: string;
  instructions: Instruction[];
  lookups: TableLookup[];
  /** Only version 1. */
  config: V1Config | undefined;
}

export interface V1Config {
  priorityFee: number | null;
  computeUnitLimit: number | null;
  loadedAccountsDataSizeLimit: number | null;
  heapSize: number | null;
}

export interface Transaction {
  bytes: Uint8Array;
  signatures: string[];
  /** The first signature, which identifies the transaction. */
  signature: string;
  message: Message;
}

/**
 * Parses a transaction of any version as strictly as the runtime; throws `MalformedError`. Only parsed transactions may
 * reach the engine, because it aborts the process on invalid bytes.
 */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const isV1 = bytes[0] === V1_PREFIX;
  if (bytes.length > (isV1 ? V1_SIZE_LIMIT : LEGACY_SIZE_LIMIT)) throw new MalformedError('it is too large');
  const reader = new ByteReader(bytes);
  const readSignatures = (count: number) => reader.times(count, () => bs58.encode(reader.take(SIGNATURE_BYTES)));
  let message: Message;
  let signatures: string[];
  if (isV1) {
    message = readMessage(reader);
    signatures = readSignatures(message.signers);
  } else {
    signatures = readSignatures(reader.shortLength());
    message = readMessage(reader);
    if (message.version === 1) throw new MalformedError('signatures precede a version 1 message');
  }
  if (reader.left > 0) throw new MalformedError('bytes are left at its end');
  if (signatures.length !== message.signers) throw new MalformedError('it has a wrong number of signatures');
  return { bytes, signatures, signature: signatures[0] as string, message };
}

/** Parses a message without signatures, as `getFeeForMessage` takes it; throws `MalformedError`. */
export function decodeMessage(bytes: Uint8Array): Message {
  if (bytes.length > V1_SIZE_LIMIT) throw new MalformedError('it is too large');
  const reader = new ByteReader(bytes);
  const message = readMessage(reader);
  if (reader.left > 0) throw new MalformedError('bytes are left at its end');
  return message;
}

export function isSigner(message: Message, index: number): boolean {
  return index < message.signers;
}

/** Whether a static key is writable, by its index. */
export function isWritable(message: Message, index: number): boolean {
  if (isSigner(message, index)) return index < message.signers - message.readonlySigners;
  return index < message.keys.length - message.readonlyOthers;
}

function readMessage(reader: ByteReader): Message {
  const first = reader.u8();
  const version = readVersion(first);
  const signers = version === 'legacy' ? first : reader.u8();
  const header = { version, signers, readonlySigners: reader.u8(), readonlyOthers: reader.u8() };
  const message: Message = { ...header, ...(version === 1 ? readV1Body(reader) : readBody(reader, version === 0)) };
  checkIndexes(message);
  return message;
}

function readVersion(first: number): Message['version'] {
  if (first < VERSION_FLAG) return 'legacy';
  if (first > V1_PREFIX) throw new MalformedError('its version is unknown');
  return first === V1_PREFIX ? 1 : 0;
}

type Body = Pick<Message, 'keys' | 'blockhash' | 'instructions' | 'lookups' | 'config'>;

function readBody(reader: ByteReader, withLookups: boolean): Body {
  const indexes = () => [...reader.take(reader.shortLength())];
  const keys = reader.times(reader.shortLength(), () => reader.key());
  const blockhash = reader.key();
  const instructions = reader.times(reader.shortLength(), () => ({
    programIndex: reader.u8(),
    accounts: indexes(),
    data: reader.take(reader.shortLength()),
  }));
  const lookups = !withLookups
    ? []
    : reader.times(reader.shortLength(), () => ({ table: reader.key(), writable: indexes(), readonly: indexes() }));
  return { keys, blockhash, instructions, lookups, config: undefined };
}

/** SIMD-0385: a mask of settings first, and all instruction headers before their contents. */
function readV1Body(reader: ByteReader): Body {
  const mask = reader.u32();
  const feeBits = mask & 0b11;
  if (mask > 0b11111 || feeBits === 1 || feeBits === 2) throw new MalformedError('its settings are unknown');
  const blockhash = reader.key();
  const instructionCount = reader.u8();
  const keys = reader.times(reader.u8(), () => reader.key());
  const config = {
    priorityFee: feeBits ? Number(reader.u64()) : null,
    computeUnitLimit: mask & 0b100 ? reader.u32() : null,
    loadedAccountsDataSizeLimit: mask & 0b1000 ? reader.u32() : null,
    heapSize: mask & 0b10000 ? reader.u32() : null,
  };
  const headers = reader.times(instructionCount, () => ({
    programIndex: reader.u8(),
    accountCount: reader.u8(),
    dataLength: reader.u16(),
  }));
  const instructions = headers.map(({ programIndex, accountCount, dataLength }) => ({
    programIndex,
    accounts: [...reader.take(accountCount)],
    data: reader.take(dataLength),
  }));
  return { keys, blockhash, instructions, lookups: [], config };
}

function checkIndexes({ signers, readonlySigners, readonlyOthers, keys, instructions, lookups }: Message): void {
  const looked = lookups.reduce((sum, lookup) => sum + lookup.writable.length + lookup.readonly.length, 0);
  const total = keys.length + looked;
  const sane =
    readonlySigners < signers &&
    signers + readonlyOthers <= keys.length &&
    total <= MAX_KEYS &&
    lookups.every((lookup) => lookup.writable.length + lookup.readonly.length > 0) &&
    instructions.every(
      ({ programIndex, accounts }) =>
        programIndex > 0 && programIndex < keys.length && accounts.every((index) => index < total),
    );
  if (!sane) throw new MalformedError('Transaction failed to sanitize accounts offsets correctly');
}
