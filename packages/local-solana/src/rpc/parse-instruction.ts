import bs58 from 'bs58';
import { ByteReader, MalformedError } from '../chain/bytes.ts';
import { ASSOCIATED_TOKEN, isMemoProgram, isTokenProgram, MEMO_V1, SYSTEM, TOKEN } from '../chain/programs.ts';
import { tokenAmount } from '../chain/token-accounts.ts';
import type { Instruction } from '../chain/transaction.ts';

type Info = Record<string, unknown>;
interface Layout {
  type: string;
  /** Names of its accounts, in order. If one is missing, the instruction is of another kind. */
  accounts: string[];
  read?: (reader: ByteReader) => Info;
}

const transferFee = { accounts: ['source', 'mint', 'destination', 'authority'] };
const checkedAmount = (reader: ByteReader): Info => {
  const amount = reader.u64();
  return { tokenAmount: tokenAmount(amount, reader.u8()) };
};
const amount = (reader: ByteReader): Info => ({ amount: reader.u64().toString() });

const TOKEN_LAYOUTS: Record<number, Layout> = {
  0: { type: 'initializeMint', accounts: ['mint', 'rentSysvar'], read: readNewMint },
  1: { type: 'initializeAccount', accounts: ['account', 'mint', 'owner', 'rentSysvar'] },
  3: { type: 'transfer', accounts: ['source', 'destination', 'authority'], read: amount },
  4: { type: 'approve', accounts: ['source', 'delegate', 'owner'], read: amount },
  5: { type: 'revoke', accounts: ['source', 'owner'] },
  6: { type: 'setAuthority', accounts: ['account', 'authority'], read: readNewAuthority },
  7: { type: 'mintTo', accounts: ['mint', 'account', 'mintAuthority'], read: amount },
  8: { type: 'burn', accounts: ['account', 'mint', 'authority'], read: amount },
  9: { type: 'closeAccount', accounts: ['account', 'destination', 'owner'] },
  10: { type: 'freezeAccount', accounts: ['account', 'mint', 'freezeAuthority'] },
  11: { type: 'thawAccount', accounts: ['account', 'mint', 'freezeAuthority'] },
  12: { type: 'transferChecked', ...transferFee, read: checkedAmount },
  13: { type: 'approveChecked', accounts: ['source', 'mint', 'delegate', 'owner'], read: checkedAmount },
  14: { type: 'mintToChecked', accounts: ['mint', 'account', 'mintAuthority'], read: checkedAmount },
  15: { type: 'burnChecked', accounts: ['account', 'mint', 'authority'], read: checkedAmount },
  16: {
    type: 'initializeAccount2',
    accounts: ['account', 'mint', 'rentSysvar'],
    read: (reader) => ({ owner: reader.key() }),
  },
  17: { type: 'syncNative', accounts: ['account'] },
  18: { type: 'initializeAccount3', accounts: ['account', 'mint'], read: (reader) => ({ owner: reader.key() }) },
  20: { type: 'initializeMint2', accounts: ['mint'], read: readNewMint },
  21: { type: 'getAccountDataSize', accounts: ['mint'] },
  22: { type: 'initializeImmutableOwner', accounts: ['account'] },
};

const SYSTEM_LAYOUTS: Record<number, Layout> = {
  0: {
    type: 'createAccount',
    accounts: ['source', 'newAccount'],
    read: (reader) => ({ lamports: Number(reader.u64()), space: Number(reader.u64()), owner: reader.key() }),
  },
  1: { type: 'assign', accounts: ['account'], read: (reader) => ({ owner: reader.key() }) },
  2: {
    type: 'transfer',
    accounts: ['source', 'destination'],
    read: (reader) => ({ lamports: Number(reader.u64()) }),
  },
  8: { type: 'allocate', accounts: ['account'], read: (reader) => ({ space: Number(reader.u64()) }) },
};

const ASSOCIATED_ACCOUNTS = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'];
const ASSOCIATED_LAYOUTS: Record<number, Layout> = {
  0: { type: 'create', accounts: ASSOCIATED_ACCOUNTS },
  1: { type: 'createIdempotent', accounts: ASSOCIATED_ACCOUNTS },
};

const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;

/** An instruction in the form of `jsonParsed`. An unknown program or kind keeps its accounts and raw data. */
export function parseInstruction({ programIndex, accounts, data }: Instruction, keys: string[], stackHeight: number) {
  const programId = keys[programIndex] as string;
  const addresses = accounts.map((index) => keys[index] as string);
  const parsed = parseKnown(programId, addresses, data);
  return parsed
    ? { ...parsed, programId, stackHeight }
    : { accounts: addresses, data: bs58.encode(data), programId, stackHeight };
}

function parseKnown(programId: string, accounts: string[], data: Uint8Array) {
  if (isMemoProgram(programId)) {
    return { program: programId === MEMO_V1 ? 'spl-memo-v1' : 'spl-memo', parsed: Buffer.from(data).toString('utf8') };
  }
  try {
    const reader = new ByteReader(data);
    if (isTokenProgram(programId)) {
      const parsed = parseToken(reader, accounts);
      return parsed && { program: programId === TOKEN ? 'spl-token' : 'spl-token-2022', parsed };
    }
    if (programId === SYSTEM) {
      const parsed = fill(SYSTEM_LAYOUTS[reader.u32()], reader, accounts);
      return parsed && { program: 'system', parsed };
    }
    if (programId === ASSOCIATED_TOKEN) {
      const parsed = fill(ASSOCIATED_LAYOUTS[data.length === 0 ? 0 : reader.u8()], reader, accounts);
      return parsed && { program: 'spl-associated-token-account', parsed };
    }
    return undefined;
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}

function parseToken(reader: ByteReader, accounts: string[]) {
  const kind = reader.u8();
  if (kind !== TRANSFER_FEE_EXTENSION) return fill(TOKEN_LAYOUTS[kind], reader, accounts);
  if (reader.u8() !== TRANSFER_CHECKED_WITH_FEE) return undefined;
  const read = (rest: ByteReader): Info => {
    const sent = rest.u64();
    const decimals = rest.u8();
    return { tokenAmount: tokenAmount(sent, decimals), feeAmount: tokenAmount(rest.u64(), decimals) };
  };
  return fill({ type: 'transferCheckedWithFee', ...transferFee, read }, reader, accounts);
}

function fill(layout: Layout | undefined, reader: ByteReader, accounts: string[]) {
  if (!layout || accounts.length < layout.accounts.length) return undefined;
  const named: Info = Object.fromEntries(layout.accounts.map((name, index) => [name, accounts[index]]));
  return { type: layout.type, info: { ...named, ...layout.read?.(reader) } };
}

function readNewMint(reader: ByteReader): Info {
  const decimals = reader.u8();
  const mintAuthority = reader.key();
  return { decimals, mintAuthority, ...(reader.u8() === 1 && { freezeAuthority: reader.key() }) };
}

function readNewAuthority(reader: ByteReader): Info {
  const kinds = ['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount'];
  const authorityType = kinds[reader.u8()] ?? 'unknown';
  return { authorityType, newAuthority: reader.u8() === 1 ? reader.key() : null };
}
