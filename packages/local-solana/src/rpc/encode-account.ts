import bs58 from 'bs58';
import type { AccountState } from '../chain/engine.ts';
import { TOKEN } from '../chain/programs.ts';
import { readMint, readTokenAccount, tokenAmount } from '../chain/token-accounts.ts';
import type { Config } from './call.ts';
import { invalidParams } from './rpc-error.ts';
import { describeExtensions } from './token-extensions.ts';

const MAX_BASE58_BYTES = 128;
/** The rent epoch of accounts that never pay rent, 2^64 - 1, as the nearest JSON number. */
const RENT_EXEMPT_EPOCH = 18_446_744_073_709_552_000;

export interface AccountEncoding {
  encoding: 'base58' | 'base64' | 'jsonParsed' | 'binary';
  slice: { offset: number; length: number } | undefined;
}

export function readAccountEncoding(config: Config): AccountEncoding {
  const encoding = config['encoding'] ?? 'binary';
  if (encoding !== 'binary' && encoding !== 'base58' && encoding !== 'base64' && encoding !== 'jsonParsed') {
    throw invalidParams(`unsupported encoding: ${String(encoding)}`);
  }
  const slice = config['dataSlice'] as { offset?: unknown; length?: unknown } | undefined | null;
  if (!slice) return { encoding, slice: undefined };
  const { offset, length } = slice;
  if (typeof offset !== 'number' || typeof length !== 'number')
    throw invalidParams('dataSlice needs offset and length');
  return { encoding, slice: { offset, length } };
}

/** An account as a node returns it; null if there is none. A parsed token account needs its mint's decimals. */
export function encodeAccount(
  account: AccountState | undefined,
  { encoding, slice }: AccountEncoding,
  lookUp: (address: string) => AccountState | undefined,
) {
  if (!account || account.lamports === 0n) return null;
  const { data, owner, executable } = account;
  const bytes = slice ? data.subarray(slice.offset, slice.offset + slice.length) : data;
  return {
    data: (encoding === 'jsonParsed' && parseData(account, lookUp)) || encodeData(bytes, encoding),
    executable,
    lamports: Number(account.lamports),
    owner,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: data.length,
  };
}

function encodeData(bytes: Uint8Array, encoding: AccountEncoding['encoding']) {
  if (encoding === 'base64' || encoding === 'jsonParsed') return [Buffer.from(bytes).toString('base64'), 'base64'];
  if (bytes.length > MAX_BASE58_BYTES) {
    throw invalidParams('Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.');
  }
  return encoding === 'binary' ? bs58.encode(bytes) : [bs58.encode(bytes), 'base58'];
}

function parseData(account: AccountState, lookUp: (address: string) => AccountState | undefined) {
  const parsed = parseToken(account, lookUp);
  if (!parsed) return undefined;
  const extensions = describeExtensions(account.data);
  const info = extensions.length > 0 ? { ...parsed.info, extensions } : parsed.info;
  const program = account.owner === TOKEN ? 'spl-token' : 'spl-token-2022';
  return { program, parsed: { type: parsed.type, info }, space: account.data.length };
}

function parseToken(account: AccountState, lookUp: (address: string) => AccountState | undefined) {
  const mint = readMint(account);
  if (mint) return { type: 'mint', info: { ...mint, supply: mint.supply.toString() } };
  const token = readTokenAccount(account);
  const decimals = token && readMint(lookUp(token.mint))?.decimals;
  if (!token || decimals === undefined) return undefined;
  const { amount, delegate, delegatedAmount, rentReserve, closeAuthority, ...rest } = token;
  const info = {
    ...rest,
    isNative: rentReserve !== null,
    tokenAmount: tokenAmount(amount, decimals),
    ...(delegate && { delegate, delegatedAmount: tokenAmount(delegatedAmount, decimals) }),
    ...(rentReserve !== null && { rentExemptReserve: tokenAmount(rentReserve, decimals) }),
    ...(closeAuthority && { closeAuthority }),
  };
  return { type: 'account', info };
}
