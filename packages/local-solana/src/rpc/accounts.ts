import bs58 from 'bs58';
import type { AccountState } from '../chain/engine.ts';
import { isTokenProgram } from '../chain/programs.ts';
import { readMint, readTokenAccount, tokenAmount } from '../chain/token-accounts.ts';
import { type Call, type Config, readAddress } from './call.ts';
import { encodeAccount, readAccountEncoding } from './encode-account.ts';
import { invalidParams } from './rpc-error.ts';

const MAX_ACCOUNTS = 100;

export function getBalance(call: Call) {
  const address = call.address(0);
  const slot = call.slot(call.config(1));
  return call.answer(slot, Number(call.chain.account(address, slot)?.lamports ?? 0n));
}

export function getAccountInfo(call: Call) {
  const address = call.address(0);
  const config = call.config(1);
  const slot = call.slot(config);
  return call.answer(slot, encodeAt(call, slot, config)(address));
}

export function getMultipleAccounts(call: Call) {
  const addresses = call.list(0, MAX_ACCOUNTS).map(readAddress);
  const config = call.config(1);
  const slot = call.slot(config);
  return call.answer(slot, addresses.map(encodeAt(call, slot, config)));
}

export function getProgramAccounts(call: Call) {
  const program = call.address(0);
  const config = call.config(1);
  const slot = call.slot(config);
  const filters = readFilters(config['filters']);
  const encode = encodeAt(call, slot, config);
  const found = [...call.chain.accountsOwnedBy(program, slot)]
    .filter(([, account]) => filters.every((fits) => fits(account)))
    .map(([pubkey]) => ({ pubkey, account: encode(pubkey) }));
  return config['withContext'] === true ? call.answer(slot, found) : found;
}

export function getTokenAccountBalance(call: Call) {
  const address = call.address(0);
  const slot = call.slot(call.config(1));
  const account = readTokenAccount(call.chain.account(address, slot));
  if (!account) throw invalidParams('not a Token account');
  const mint = readMint(call.chain.account(account.mint, slot));
  return call.answer(slot, tokenAmount(account.amount, mint?.decimals ?? 0));
}

export function getTokenSupply(call: Call) {
  const address = call.address(0);
  const slot = call.slot(call.config(1));
  const mint = readMint(call.chain.account(address, slot));
  if (!mint) throw invalidParams('not a Token mint');
  return call.answer(slot, tokenAmount(mint.supply, mint.decimals));
}

export function getTokenAccountsByOwner(call: Call) {
  const owner = call.address(0);
  const filter = call.config(1);
  const config = call.config(2);
  const slot = call.slot(config);
  const mint = filter['mint'] === undefined ? undefined : readAddress(filter['mint']);
  const program = mint ? call.chain.account(mint, slot)?.owner : readAddress(filter['programId']);
  if (!program || !isTokenProgram(program)) {
    throw invalidParams(mint ? 'could not find mint' : 'unrecognized Token program id');
  }
  const encode = encodeAt(call, slot, config);
  const found = [...call.chain.accountsOwnedBy(program, slot)].filter(([, state]) => {
    const account = readTokenAccount(state);
    return account?.owner === owner && (!mint || account.mint === mint);
  });
  return call.answer(
    slot,
    found.map(([pubkey]) => ({ pubkey, account: encode(pubkey) })),
  );
}

export function getMinimumBalanceForRentExemption(call: Call) {
  const length = call.u64(0);
  if (length > 10_485_760n) throw invalidParams('an account holds at most 10 MiB');
  return Number(call.chain.engine.rentExemption(Number(length)));
}

function encodeAt(call: Call, slot: number, config: Config) {
  const encoding = readAccountEncoding(config);
  const lookUp = (address: string) => call.chain.account(address, slot);
  return (address: string) => encodeAccount(lookUp(address), encoding, lookUp);
}

function readFilters(value: unknown): ((account: AccountState) => boolean)[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > 4) throw invalidParams('at most 4 filters are expected');
  return value.map((filter: { dataSize?: unknown; memcmp?: Config }) => {
    if (typeof filter?.dataSize === 'number') return ({ data }) => data.length === filter.dataSize;
    const { offset, bytes, encoding } = filter?.memcmp ?? {};
    if (typeof offset !== 'number' || typeof bytes !== 'string') throw invalidParams('unknown filter');
    const wanted = encoding === 'base64' ? Buffer.from(bytes, 'base64') : bs58.decodeUnsafe(bytes.slice(0, 175));
    if (!wanted) throw invalidParams('invalid base58');
    return ({ data }) => Buffer.from(data.subarray(offset, offset + wanted.length)).equals(wanted);
  });
}
