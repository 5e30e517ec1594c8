import bs58 from 'bs58';
import type { FetchedInstruction, FetchedTokenBalance, FetchedTransaction } from './fetched-transaction.ts';
import { MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';

/** A made-up address or signature; the same word always gives the same one. */
export function _address(word: string, bytes = 32): string {
  const seed = new TextEncoder().encode(word);
  return bs58.encode(Uint8Array.from({ length: bytes }, (_, at) => 17 + at + (seed[at % seed.length] ?? 0)));
}

export const _COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
export const _LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const ASSOCIATED_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

export interface _Instruction {
  program: string;
  accounts: string[];
  data: Uint8Array;
  inner?: _Instruction[];
}

export interface _TokenAccount {
  owner: string;
  mint: string;
  baseUnits: bigint;
  program?: string;
  decimals?: number;
}

/** What `getTransaction` would return after these instructions ran on these token accounts. */
export function _fetch(run: {
  accounts: Record<string, _TokenAccount>;
  signers: string[];
  instructions: _Instruction[];
  version?: 'legacy' | 0 | 1;
  /** Addresses that come from a lookup table (version 0). */
  lookups?: string[];
  /** The fee that every transfer of a mint with fees withholds. */
  fee?: bigint;
  err?: unknown;
  blockTime?: number | null;
}): FetchedTransaction {
  const { accounts, signers, instructions, version = 0, lookups = [], fee = 0n } = run;
  const used = instructions.flatMap(function namesOf(instruction): string[] {
    return [instruction.program, ...instruction.accounts, ...(instruction.inner ?? []).flatMap(namesOf)];
  });
  const accountKeys = [...new Set([...signers, ...used])].filter((key) => !lookups.includes(key));
  const keys = [...accountKeys, ...lookups];
  const compile = ({ program, accounts: named, data }: _Instruction): FetchedInstruction & { stackHeight: number } => ({
    programIdIndex: keys.indexOf(program),
    accounts: named.map((address) => keys.indexOf(address)),
    data: bs58.encode(data),
    stackHeight: 1,
  });
  const ledger = new Map(Object.entries(accounts).map(([address, account]) => [address, { ...account }]));
  const before = balancesOf(ledger, keys);
  if (!run.err) for (const instruction of instructions) execute(instruction, ledger, fee);
  return {
    slot: 447_552_001,
    blockTime: run.blockTime === undefined ? 1_795_000_000 : run.blockTime,
    version,
    transaction: {
      signatures: signers.map((signer) => _address(`signature of ${signer}`, 64)),
      message: {
        header: { numRequiredSignatures: signers.length },
        accountKeys,
        instructions: instructions.map(compile),
      },
    },
    meta: {
      err: run.err ?? null,
      innerInstructions: instructions.flatMap(({ inner }, index) =>
        inner?.length ? [{ index, instructions: inner.map(compile) }] : [],
      ),
      preTokenBalances: before,
      postTokenBalances: run.err ? before : balancesOf(ledger, keys),
      loadedAddresses: { writable: lookups, readonly: [] },
    },
  };
}

function balancesOf(ledger: ReadonlyMap<string, _TokenAccount>, keys: readonly string[]): FetchedTokenBalance[] {
  return keys.flatMap((address, accountIndex) => {
    const account = ledger.get(address);
    if (!account) return [];
    const { owner, mint, baseUnits, program = TOKEN_PROGRAM, decimals = 6 } = account;
    // A float above every price, so that a test fails if the code reads it.
    const uiTokenAmount = { amount: String(baseUnits), decimals, uiAmount: 1e9, uiAmountString: '1000000000' };
    return [{ accountIndex, mint, owner, programId: program, uiTokenAmount }];
  });
}

/** Simulates the token programs and the associated account program, as far as the tests need them. */
function execute(
  { program, accounts, data, inner = [] }: _Instruction,
  ledger: Map<string, _TokenAccount>,
  fee: bigint,
) {
  for (const instruction of inner) execute(instruction, ledger, fee);
  if (program === ASSOCIATED_PROGRAM) {
    const [, address = '', owner = '', mint = '', , tokenProgram = ''] = accounts;
    if (!ledger.has(address)) ledger.set(address, { owner, mint, baseUnits: 0n, program: tokenProgram });
  }
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return;
  if (data[0] === 255) {
    for (let at = 1, first = 0; at < data.length; ) {
      const [count = 0, length = 0] = data.subarray(at);
      execute(
        { program, accounts: accounts.slice(first, first + count), data: data.slice(at + 2, at + 2 + length) },
        ledger,
        fee,
      );
      first += count;
      at += 2 + length;
    }
    return;
  }
  const isPlain = data[0] === 3;
  if (isPlain || data[0] === 12 || data[0] === 26) {
    const source = ledger.get(accounts[0] as string);
    const destination = ledger.get(accounts[isPlain ? 1 : 2] as string);
    if (!source || !destination) throw new Error('The fixture moves between accounts it knows');
    const at = data[0] === 26 ? 2 : 1;
    const baseUnits = new DataView(data.buffer, data.byteOffset).getBigUint64(at, true);
    source.baseUnits -= baseUnits;
    destination.baseUnits += baseUnits - fee;
  }
  if (data[0] === 6 && data[1] === 2) {
    const account = ledger.get(accounts[0] as string);
    if (account) account.owner = bs58.encode(data.subarray(3, 35));
  }
  if (data[0] === 9) ledger.delete(accounts[0] as string);
}

function _u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

interface Move {
  source: string;
  destination: string;
  mint: string;
  authority: string;
  baseUnits: bigint;
  decimals?: number;
  program?: string;
}

export function _transferChecked(move: Move): _Instruction {
  const { source, mint, destination, authority, baseUnits, decimals = 6, program = TOKEN_PROGRAM } = move;
  const data = Uint8Array.of(12, ..._u64(baseUnits), decimals);
  return { program, accounts: [source, mint, destination, authority], data };
}

export function _transferWithFee(move: Move & { fee: bigint }): _Instruction {
  const data = Uint8Array.of(26, 1, ..._u64(move.baseUnits), move.decimals ?? 6, ..._u64(move.fee));
  return { ..._transferChecked({ ...move, program: TOKEN_2022_PROGRAM }), data };
}

export function _plainTransfer({ source, destination, authority, baseUnits }: Move): _Instruction {
  const data = Uint8Array.of(3, ..._u64(baseUnits));
  return { program: TOKEN_PROGRAM, accounts: [source, destination, authority], data };
}

export function _batch(...parts: _Instruction[]): _Instruction {
  const data = parts.flatMap((part) => [part.accounts.length, part.data.length, ...part.data]);
  return {
    program: TOKEN_PROGRAM,
    accounts: parts.flatMap((part) => part.accounts),
    data: Uint8Array.of(255, ...data),
  };
}

/** Changes the account's owner. */
export function _setOwner(account: string, authority: string, newOwner: string): _Instruction {
  const data = Uint8Array.of(6, 2, 1, ...bs58.decode(newOwner));
  return { program: TOKEN_PROGRAM, accounts: [account, authority], data };
}

export function _memo(text: string, program = MEMO_PROGRAM): _Instruction {
  return { program, accounts: [], data: new TextEncoder().encode(text) };
}

/** The idempotent creation of an associated account, with the inner instructions of the real one. */
export function _createAccount(to: {
  payer: string;
  account: string;
  owner: string;
  mint: string;
  program?: string;
}): _Instruction {
  const { payer, account, owner, mint, program = TOKEN_PROGRAM } = to;
  return {
    program: ASSOCIATED_PROGRAM,
    accounts: [payer, account, owner, mint, SYSTEM_PROGRAM, program],
    data: Uint8Array.of(1),
    inner: [
      { program, accounts: [mint], data: Uint8Array.of(21, 7, 0) },
      { program: SYSTEM_PROGRAM, accounts: [payer, account], data: new Uint8Array(52) },
      { program, accounts: [account], data: Uint8Array.of(22) },
      { program, accounts: [account, mint], data: Uint8Array.of(18, ...bs58.decode(owner)) },
    ],
  };
}

/** Instructions that wallets add around a payment: a guard that reads the accounts, and a compute budget. */
export function _guards(...accounts: string[]): _Instruction[] {
  return [
    { program: _COMPUTE_BUDGET, accounts: [], data: Uint8Array.of(2, 64, 13, 3, 0) },
    { program: _LIGHTHOUSE, accounts, data: Uint8Array.of(5, 0, 3, 12) },
  ];
}
