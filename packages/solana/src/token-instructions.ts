import bs58 from 'bs58';
import type { Instruction } from './fetched-transaction.ts';

/** First bytes of the token programs' instructions. Source: `TokenInstruction` of spl-token and spl-token-2022. */
export const TOKEN_INSTRUCTION = {
  transfer: 3,
  approve: 4,
  setAuthority: 6,
  closeAccount: 9,
  transferChecked: 12,
  approveChecked: 13,
  transferFeeExtension: 26,
  batch: 255,
} as const;

/** Second byte of `TransferCheckedWithFee` within the transfer fee extension. */
const TRANSFER_WITH_FEE = 1;
/**
 * Base58 letters of about 500 bytes. Real instructions are far shorter, and decoding time grows with the square of the
 * length.
 */
const MAX_DATA_LETTERS = 700;

/** What one instruction of a token program does, as far as the payment check needs it. */
export type TokenStep =
  | {
      kind: 'transfer';
      source: string;
      destination: string;
      authority: string;
      baseUnits: bigint;
      /** The token that the instruction names; null if it names none, as in a plain transfer. */
      token: { mint: string; decimals: number } | null;
    }
  /** Gives control over an account: changes its authority, sets a delegate, or closes it. */
  | { kind: 'control'; account: string };

/**
 * The steps of one token program instruction, in order; a batch gives each of its steps. Empty if the instruction
 * neither moves tokens nor gives control. Null if its data cannot be read.
 */
export function readTokenSteps({ accounts, data }: Instruction): TokenStep[] | null {
  if (data.length > MAX_DATA_LETTERS) return null;
  const bytes = bs58.decodeUnsafe(data);
  if (!bytes) return null;
  if (bytes[0] !== TOKEN_INSTRUCTION.batch) return [readStep(bytes, accounts)].flatMap((step) => step ?? []);
  return readBatch(bytes, accounts);
}

/**
 * A batch contains several instructions, which are not listed as inner ones. Each is encoded as its number of accounts,
 * the length of its data, and the data. Source: `process_batch` of the token program.
 */
function readBatch(bytes: Uint8Array, accounts: readonly string[]): TokenStep[] | null {
  const steps: TokenStep[] = [];
  let firstAccount = 0;
  for (let at = 1; at < bytes.length; ) {
    const dataAt = at + 2;
    const dataEnd = dataAt + (bytes[at + 1] ?? 0);
    const lastAccount = firstAccount + (bytes[at] as number);
    if (dataEnd > bytes.length || lastAccount > accounts.length) return null;
    const step = readStep(bytes.subarray(dataAt, dataEnd), accounts.slice(firstAccount, lastAccount));
    if (step) steps.push(step);
    firstAccount = lastAccount;
    at = dataEnd;
  }
  return steps;
}

/** Bytes after the last field are ignored, as the programs ignore them. */
function readStep(bytes: Uint8Array, accounts: readonly string[]): TokenStep | null {
  switch (bytes[0]) {
    case TOKEN_INSTRUCTION.approve:
    case TOKEN_INSTRUCTION.approveChecked:
    case TOKEN_INSTRUCTION.setAuthority:
    case TOKEN_INSTRUCTION.closeAccount:
      return accounts[0] === undefined ? null : { kind: 'control', account: accounts[0] };
    case TOKEN_INSTRUCTION.transfer:
      return readPlainTransfer(bytes.subarray(1), accounts);
    case TOKEN_INSTRUCTION.transferChecked:
      return readTransfer(bytes.subarray(1), accounts);
    case TOKEN_INSTRUCTION.transferFeeExtension:
      return bytes[1] === TRANSFER_WITH_FEE ? readTransfer(bytes.subarray(2), accounts) : null;
    default:
      return null;
  }
}

/** Data: amount (8 bytes, little-endian) and decimals (1 byte). Accounts: source, mint, destination and authority. */
function readTransfer(bytes: Uint8Array, accounts: readonly string[]): TokenStep | null {
  const [source, mint, destination, authority] = accounts;
  if (bytes.length < 9 || !source || !mint || !destination || !authority) return null;
  const token = { mint, decimals: bytes[8] as number };
  return { kind: 'transfer', source, destination, authority, baseUnits: readAmount(bytes), token };
}

/** Data: amount (8 bytes, little-endian). Accounts: source, destination and authority. */
function readPlainTransfer(bytes: Uint8Array, accounts: readonly string[]): TokenStep | null {
  const [source, destination, authority] = accounts;
  if (bytes.length < 8 || !source || !destination || !authority) return null;
  return { kind: 'transfer', source, destination, authority, baseUnits: readAmount(bytes), token: null };
}

function readAmount(bytes: Uint8Array): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
}
