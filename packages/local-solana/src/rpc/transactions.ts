import { MalformedError } from '../chain/bytes.ts';
import { BLOCKHASH_SLOTS } from '../chain/clock.ts';
import type { AccountState, Simulation } from '../chain/engine.ts';
import { describeTransactionError, type TransactionError } from '../chain/errors.ts';
import { decodeTransaction, type Transaction } from '../chain/transaction.ts';
import { type Call, type Config, readAddress, readBytes, readCommitment } from './call.ts';
import { encodeAccount, readAccountEncoding } from './encode-account.ts';
import { encodeInner } from './encode-transaction.ts';
import { invalidParams, PREFLIGHT_FAILURE, RpcError, SIGNATURE_FAILURE } from './rpc-error.ts';

const NO_OUTCOME = { logs: [], inner: [], units: 0, returnData: null, accounts: () => new Map<string, AccountState>() };

export function sendTransaction(call: Call): string {
  const config = call.config(1);
  const transaction = readTransaction(call, config);
  if (config['skipPreflight'] !== true) preflight(call, config, transaction);
  // From here on a failing transaction is dropped silently, as a real node does.
  if (!call.lens.losesTransactions) call.chain.submit(transaction);
  return transaction.signature;
}

export function simulateTransaction(call: Call) {
  const config = call.config(1);
  const transaction = readTransaction(call, config);
  const slot = call.slot(config);
  const replaces = config['replaceRecentBlockhash'] === true;
  const verifies = config['sigVerify'] === true;
  if (replaces && verifies) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  const wanted = config['accounts'] as Config | undefined | null;
  const addresses = wanted ? readWantedAddresses(wanted) : undefined;

  const result = simulate(call, transaction, { verifies, anyBlockhash: replaces, slot });
  if (result.err === 'SignatureFailure') throw signatureFailure();
  const { chain } = call;
  const changed = addresses ? result.accounts() : new Map<string, AccountState>();
  const lookUp = (address: string) => changed.get(address) ?? chain.account(address);
  return call.answer(slot, {
    ...describeSimulation(result),
    accounts:
      addresses && result.err === null
        ? addresses.map((address) => encodeAccount(lookUp(address), readAccountEncoding(wanted ?? {}), lookUp))
        : null,
    ...(config['innerInstructions'] === true && { innerInstructions: encodeInner(result.inner, keysOf(transaction)) }),
    replacementBlockhash: replaces
      ? { blockhash: chain.clock.blockhash(slot), lastValidBlockHeight: lastValidBlockHeight(call, slot) }
      : null,
  });
}

/** Sends the network's own transaction. Throws the preflight's error if that fails. */
export function sendOwn(call: Call, transaction: Transaction): string {
  preflight(call, { preflightCommitment: 'processed' }, transaction);
  if (!call.lens.losesTransactions) call.chain.submit(transaction);
  return transaction.signature;
}

export function lastValidBlockHeight(call: Call, slot: number): number {
  return call.chain.clock.height(slot) + BLOCKHASH_SLOTS;
}

function preflight(call: Call, config: Config, transaction: Transaction): void {
  const slot = call.slot(config, readCommitment(config['preflightCommitment']));
  const result = simulate(call, transaction, { verifies: true, anyBlockhash: false, slot });
  if (result.err === null) return;
  if (result.err === 'SignatureFailure') throw signatureFailure();
  throw new RpcError(PREFLIGHT_FAILURE, `Transaction simulation failed: ${describeTransactionError(result.err)}`, {
    ...describeSimulation(result),
    accounts: null,
    innerInstructions: null,
    replacementBlockhash: null,
  });
}

/** Simulates on the newest accounts, whatever the commitment. The blockhash must be valid at the slot. */
function simulate(
  { chain }: Call,
  transaction: Transaction,
  { verifies, anyBlockhash, slot }: { verifies: boolean; anyBlockhash: boolean; slot: number },
): Simulation {
  const refused = (err: TransactionError): Simulation => ({ ...NO_OUTCOME, err });
  if (!anyBlockhash && chain.ledger.get(transaction.signature)) return refused('AlreadyProcessed');
  const result = chain.simulate(transaction, verifies);
  if (result.err === 'SignatureFailure' || anyBlockhash) return result;
  return chain.clock.knows(transaction.message.blockhash, slot) ? result : refused('BlockhashNotFound');
}

function describeSimulation({ err, logs, units, returnData }: Simulation) {
  return { err, logs, unitsConsumed: units, returnData };
}

function readTransaction(call: Call, config: Config): Transaction {
  const bytes = readBytes(call.text(0), config['encoding']);
  try {
    return decodeTransaction(bytes);
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    throw new RpcError(
      -32_602,
      `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${error.message}`,
    );
  }
}

function readWantedAddresses(wanted: Config): string[] {
  const addresses = wanted['addresses'];
  if (!Array.isArray(addresses) || addresses.length > 100) throw invalidParams('accounts.addresses is expected');
  return addresses.map(readAddress);
}

function signatureFailure(): RpcError {
  return new RpcError(SIGNATURE_FAILURE, 'Transaction signature verification failure');
}

function keysOf({ message }: Transaction): string[] {
  return message.keys;
}
