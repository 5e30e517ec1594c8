import { PRODUCT_SLUG } from '@archive/contracts';
import { MalformedError } from '../chain/bytes.ts';
import { BLOCKHASH_SLOTS } from '../chain/clock.ts';
import { airdropTransaction, sendBackTransaction, tokensTransaction } from '../chain/faucet.ts';
import { messageFee } from '../chain/fees.ts';
import { PROJECT_TOKEN_DECIMALS } from '../chain/genesis.ts';
import { decodeMessage, type Message } from '../chain/transaction.ts';
import { API_VERSION, type Call, readAddress, readBytes } from './call.ts';
import { invalidParams } from './rpc-error.ts';
import { lastValidBlockHeight, sendOwn } from './transactions.ts';

const SLOTS_PER_EPOCH = 432_000;
const MAX_PRIORITY_FEE_ADDRESSES = 128;
const DECIMAL_AMOUNT = new RegExp(`^\\d{1,13}(\\.\\d{1,${PROJECT_TOKEN_DECIMALS}})?$`);

export const REQUEST_TOKENS = `${PRODUCT_SLUG}_requestTokens`;
export const SEND_BACK = `${PRODUCT_SLUG}_sendBack`;

export const getVersion = () => ({ 'solana-core': API_VERSION, 'feature-set': 0 });
export const getHealth = () => 'ok';
export const getGenesisHash = (call: Call) => call.chain.genesisHash;
export const getFirstAvailableBlock = () => 0;
export const minimumLedgerSlot = () => 0;
export const getSlot = (call: Call) => call.slot(call.config(0));
export const getBlockHeight = (call: Call) => call.chain.clock.height(call.slot(call.config(0)));

export function getTransactionCount(call: Call): number {
  const slot = call.slot(call.config(0));
  return call.chain.ledger.records.filter((record) => record.slot <= slot).length;
}

export function getEpochInfo(call: Call) {
  const slot = call.slot(call.config(0));
  return {
    absoluteSlot: slot,
    blockHeight: call.chain.clock.height(slot),
    epoch: Math.floor(slot / SLOTS_PER_EPOCH),
    slotIndex: slot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    transactionCount: call.chain.ledger.records.length,
  };
}

export function getLatestBlockhash(call: Call) {
  const slot = call.slot(call.config(0));
  return call.answer(slot, {
    blockhash: call.chain.clock.blockhash(slot),
    lastValidBlockHeight: lastValidBlockHeight(call, slot),
  });
}

export function isBlockhashValid(call: Call) {
  const blockhash = readAddress(call.text(0));
  const slot = call.slot(call.config(1));
  return call.answer(slot, call.chain.clock.knows(blockhash, slot));
}

/** Exact for slots with transactions, estimated for others. */
export function getBlockTime(call: Call): number {
  const slot = Number(call.u64(0));
  const { clock, ledger } = call.chain;
  const known = ledger.records.findLast((record) => record.slot === slot);
  if (slot > clock.slot) throw invalidParams(`Block not available for slot ${slot}`);
  return known?.blockTime ?? clock.blockTime - Math.round((clock.slot - slot) * 0.4);
}

/** Null once the message's blockhash has expired. */
export function getFeeForMessage(call: Call) {
  const message = readMessage(call.text(0));
  const slot = call.slot(call.config(1));
  return call.answer(slot, call.chain.clock.knows(message.blockhash, slot) ? messageFee(message) : null);
}

/** No transactions compete here, so the fee was 0 in each of the last slots. */
export function getRecentPrioritizationFees(call: Call) {
  if (call.has(0)) call.list(0, MAX_PRIORITY_FEE_ADDRESSES).forEach(readAddress);
  const newest = call.slot({ commitment: 'processed' });
  return Array.from({ length: BLOCKHASH_SLOTS }, (_, index) => ({
    slot: newest - BLOCKHASH_SLOTS + 1 + index,
    prioritizationFee: 0,
  }));
}

export function requestAirdrop(call: Call): string {
  const receiver = call.address(0);
  const lamports = call.u64(1);
  return sendOwn(call, airdropTransaction(receiver, lamports, newestBlockhash(call)));
}

/** `[address, decimal amount]`: sends the project's token and returns the signature of the transaction. */
export function requestTokens(call: Call): string {
  const receiver = call.address(0);
  return sendOwn(call, tokensTransaction(receiver, readBaseUnits(call), newestBlockhash(call)));
}

/** `[address, decimal amount]`: sends the project's token back from the feature wallet, to test a refund. */
export function sendBack(call: Call): string {
  const receiver = call.address(0);
  return sendOwn(call, sendBackTransaction(receiver, readBaseUnits(call), newestBlockhash(call)));
}

function readBaseUnits(call: Call): bigint {
  const amount = call.text(1);
  if (!DECIMAL_AMOUNT.test(amount)) {
    throw invalidParams(`a decimal amount such as "1.5" is expected, with at most ${PROJECT_TOKEN_DECIMALS} decimals`);
  }
  const [whole = '', fraction = ''] = amount.split('.');
  const baseUnits = BigInt(whole + fraction.padEnd(PROJECT_TOKEN_DECIMALS, '0'));
  if (baseUnits === 0n) throw invalidParams('the amount must be above 0');
  return baseUnits;
}

function newestBlockhash(call: Call): string {
  return call.chain.clock.blockhash(call.slot({ commitment: 'processed' }));
}

function readMessage(text: string): Message {
  try {
    return decodeMessage(readBytes(text, 'base64'));
  } catch (error) {
    if (error instanceof MalformedError) throw invalidParams(`the message cannot be read: ${error.message}`);
    throw error;
  }
}
