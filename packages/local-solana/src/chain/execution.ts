import bs58 from 'bs58';
import type { AccountState, Engine, Outcome } from './engine.ts';
import type { TokenBalance, TransactionRecord } from './ledger.ts';
import { ADDRESS_LOOKUP_TABLE, isMemoProgram } from './programs.ts';
import { readMint, readTokenAccount, tokenAmount } from './token-accounts.ts';
import { isWritable, type Message, type Transaction } from './transaction.ts';

const TABLE_HEADER_BYTES = 56;

export type States = Map<string, AccountState | undefined>;

export interface Execution {
  record: TransactionRecord;
  /** The accounts that it could change, before and after it. */
  before: States;
  after: States;
}

/**
 * Executes a transaction and makes its record. Returns only the error if it did not land, which means that no fee was
 * paid.
 */
export function execute(
  engine: Engine,
  transaction: Transaction,
  moment: { slot: number; blockTime: number },
): Execution | { refused: NonNullable<Outcome['err']> } {
  const { message } = transaction;
  const loaded = resolveLookups(engine, message);
  if (!loaded) return { refused: 'AddressLookupTableNotFound' };
  const keys = [...message.keys, ...loaded.writable, ...loaded.readonly];
  const writable = new Set([...message.keys.filter((_, index) => isWritable(message, index)), ...loaded.writable]);
  const look = (key: string) => (writable.has(key) ? engine.account(key) : engine.accountWithoutCode(key));
  const observe = (): States => new Map(keys.map((key) => [key, look(key)]));

  const pre = observe();
  const { err, ...outcome } = engine.execute(transaction.bytes);
  const post = observe();
  const payer = message.keys[0] as string;
  if (err !== null && lamportsOf(pre, payer) === lamportsOf(post, payer)) return { refused: err };

  const preBalances = keys.map((key) => lamportsOf(pre, key));
  const postBalances = keys.map((key) => lamportsOf(post, key));
  const record: TransactionRecord = {
    transaction,
    ...moment,
    keys,
    loaded,
    err,
    // The total loss of the accounts: only the fee takes lamports away.
    fee: sum(preBalances) - sum(postBalances),
    preBalances,
    postBalances,
    preTokenBalances: tokenBalances(engine, keys, pre),
    postTokenBalances: tokenBalances(engine, keys, post),
    ...outcome,
    memo: memoOf(message),
  };
  const changeable = (states: States): States => new Map([...states].filter(([key]) => writable.has(key)));
  return { record, before: changeable(pre), after: changeable(post) };
}

/** The memos of the top-level instructions in the form of a signature history; null if there is none. */
export function memoOf({ keys, instructions }: Message): string | null {
  const memos = instructions
    .filter(({ programIndex }) => isMemoProgram(keys[programIndex] as string))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  return memos.length > 0 ? memos.join('; ') : null;
}

export function usesLookupTables({ keys, lookups }: Message): boolean {
  return lookups.length > 0 || keys.includes(ADDRESS_LOOKUP_TABLE);
}

function resolveLookups(engine: Engine, message: Message): { writable: string[]; readonly: string[] } | undefined {
  const loaded = { writable: [] as string[], readonly: [] as string[] };
  for (const lookup of message.lookups) {
    const table = engine.account(lookup.table);
    if (table?.owner !== ADDRESS_LOOKUP_TABLE) return undefined;
    for (const kind of ['writable', 'readonly'] as const) {
      for (const index of lookup[kind]) {
        const at = TABLE_HEADER_BYTES + index * 32;
        if (at + 32 > table.data.length) return undefined;
        loaded[kind].push(bs58.encode(table.data.subarray(at, at + 32)));
      }
    }
  }
  return loaded;
}

function tokenBalances(engine: Engine, keys: string[], states: States): TokenBalance[] {
  return keys.flatMap((key, accountIndex) => {
    const state = states.get(key);
    const account = readTokenAccount(state);
    const mint = account && readMint(states.get(account.mint) ?? engine.account(account.mint));
    if (!state || !account || !mint) return [];
    return {
      accountIndex,
      mint: account.mint,
      owner: account.owner,
      programId: state.owner,
      uiTokenAmount: tokenAmount(account.amount, mint.decimals),
    };
  });
}

function lamportsOf(states: States, key: string): number {
  return Number(states.get(key)?.lamports ?? 0n);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
