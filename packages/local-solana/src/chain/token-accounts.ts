import bs58 from 'bs58';
import { readU64 } from './bytes.ts';
import type { AccountState } from './engine.ts';
import { isTokenProgram } from './programs.ts';

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
/** Offset of the byte with which Token-2022 distinguishes mints and accounts with extensions. */
const KIND_AT = ACCOUNT_BYTES;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

export interface Mint {
  mintAuthority: string | null;
  supply: bigint;
  decimals: number;
  isInitialized: boolean;
  freezeAuthority: string | null;
}

export interface TokenAccount {
  mint: string;
  owner: string;
  amount: bigint;
  delegate: string | null;
  state: 'uninitialized' | 'initialized' | 'frozen';
  /** Lamports reserved as rent in an account of wrapped SOL. */
  rentReserve: bigint | null;
  delegatedAmount: bigint;
  closeAuthority: string | null;
}

export interface TokenAmount {
  amount: string;
  decimals: number;
  uiAmount: number | null;
  uiAmountString: string;
}

export function readMint(account: AccountState | undefined): Mint | undefined {
  if (!account || !isTokenProgram(account.owner) || !isKind(account.data, MINT_BYTES, KIND_MINT)) return undefined;
  const { data } = account;
  return {
    mintAuthority: readOptionalKey(data, 0),
    supply: readU64(data, 36),
    decimals: data[44] as number,
    isInitialized: data[45] === 1,
    freezeAuthority: readOptionalKey(data, 46),
  };
}

export function readTokenAccount(account: AccountState | undefined): TokenAccount | undefined {
  if (!account || !isTokenProgram(account.owner)) return undefined;
  const { data } = account;
  if (!isKind(data, ACCOUNT_BYTES, KIND_ACCOUNT) || data[108] === 0) return undefined;
  return {
    mint: readKey(data, 0),
    owner: readKey(data, 32),
    amount: readU64(data, 64),
    delegate: readOptionalKey(data, 72),
    state: data[108] === 2 ? 'frozen' : 'initialized',
    rentReserve: data[109] === 1 ? readU64(data, 113) : null,
    delegatedAmount: readU64(data, 121),
    closeAuthority: readOptionalKey(data, 129),
  };
}

export function tokenAmount(amount: bigint, decimals: number): TokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const uiAmountString = fraction ? `${whole}.${fraction}` : whole;
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

function isKind(data: Uint8Array, plainLength: number, kind: number): boolean {
  if (data.length === plainLength) return true;
  return data.length > ACCOUNT_BYTES && data.length !== MULTISIG_BYTES && data[KIND_AT] === kind;
}

function readOptionalKey(data: Uint8Array, at: number): string | null {
  return data[at] === 1 ? readKey(data, at + 4) : null;
}

function readKey(data: Uint8Array, at: number): string {
  return bs58.encode(data.subarray(at, at + 32));
}
