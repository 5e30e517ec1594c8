/**
 * The raw result of `getTransaction` with encoding `json` and `maxSupportedTransactionVersion` 1: the fields that the
 * payment check reads. Source: the JSON-RPC reference of Solana.
 */
export interface FetchedTransaction {
  slot: number;
  blockTime?: number | null;
  /** Absent if the request named no maximum version; the node then returns legacy transactions only. */
  version?: 'legacy' | number;
  transaction: {
    signatures: readonly string[];
    message: {
      header: { numRequiredSignatures: number };
      accountKeys: readonly string[];
      instructions: readonly FetchedInstruction[];
    };
  };
  /** Null if the node has not recorded the effects yet. */
  meta: TransactionMeta | null;
}

export interface TransactionMeta {
  err: unknown;
  innerInstructions?: readonly { index: number; instructions: readonly FetchedInstruction[] }[] | null;
  preTokenBalances?: readonly FetchedTokenBalance[] | null;
  postTokenBalances?: readonly FetchedTokenBalance[] | null;
  loadedAddresses?: { writable: readonly string[]; readonly: readonly string[] } | null;
}

export interface FetchedInstruction {
  programIdIndex: number;
  accounts: readonly number[];
  /** Base58. */
  data: string;
}

export interface FetchedTokenBalance {
  accountIndex: number;
  mint: string;
  owner?: string;
  programId?: string;
  /** `amount` is in base units; the floating `uiAmount` beside it is never read. */
  uiTokenAmount: { amount: string; decimals: number };
}

/** An instruction with its accounts resolved to addresses. */
export interface Instruction {
  program: string;
  accounts: readonly string[];
  /** Base58. */
  data: string;
}

/** A transaction with its lookup tables, inner instructions and token balances resolved to addresses. */
export interface OpenedTransaction {
  topLevel: readonly Instruction[];
  /** Top-level and inner instructions. */
  instructions: readonly Instruction[];
  signers: ReadonlySet<string>;
  /** By the token account's address. */
  before: ReadonlyMap<string, TokenBalance>;
  after: ReadonlyMap<string, TokenBalance>;
}

export interface TokenBalance {
  mint: string;
  owner: string | undefined;
  program: string | undefined;
  baseUnits: bigint;
  decimals: number;
}

const BASE_UNITS = /^[0-9]{1,20}$/;

/** Resolves a transaction. Null if the node's record is incomplete, or if this code does not know its version. */
export function openTransaction({ transaction, version }: FetchedTransaction, meta: TransactionMeta) {
  if (version !== undefined && version !== 'legacy' && version !== 0 && version !== 1) return null;
  const { message } = transaction;
  const loaded = meta.loadedAddresses;
  const { innerInstructions, preTokenBalances, postTokenBalances } = meta;
  // Null means that the node did not record them. A transaction without any has an empty list.
  if (!innerInstructions || !preTokenBalances || !postTokenBalances) return null;

  const keys = loaded ? [...message.accountKeys, ...loaded.writable, ...loaded.readonly] : message.accountKeys;
  const topLevel = nameAccounts(message.instructions, keys);
  const inner = nameAccounts(
    innerInstructions.flatMap(({ instructions }) => instructions),
    keys,
  );
  const before = nameBalances(preTokenBalances, keys);
  const after = nameBalances(postTokenBalances, keys);
  if (!topLevel || !inner || !before || !after) return null;
  const signers = new Set(message.accountKeys.slice(0, message.header.numRequiredSignatures));
  return { topLevel, instructions: [...topLevel, ...inner], signers, before, after } satisfies OpenedTransaction;
}

function nameAccounts(fetched: readonly FetchedInstruction[], keys: readonly string[]): Instruction[] | null {
  const named: Instruction[] = [];
  for (const { programIdIndex, accounts, data } of fetched) {
    const program = keys[programIdIndex];
    const addresses: string[] = [];
    for (const index of accounts) {
      const address = keys[index];
      if (address === undefined) return null;
      addresses.push(address);
    }
    if (program === undefined) return null;
    named.push({ program, accounts: addresses, data });
  }
  return named;
}

function nameBalances(fetched: readonly FetchedTokenBalance[], keys: readonly string[]) {
  const named = new Map<string, TokenBalance>();
  for (const { accountIndex, mint, owner, programId, uiTokenAmount } of fetched) {
    const address = keys[accountIndex];
    if (address === undefined || !BASE_UNITS.test(uiTokenAmount.amount)) return null;
    const baseUnits = BigInt(uiTokenAmount.amount);
    named.set(address, { mint, owner, program: programId, baseUnits, decimals: uiTokenAmount.decimals });
  }
  return named;
}
