import bs58 from 'bs58';
import { Account, Clock, FailedTransactionMetadata, LiteSvm, type TransactionMetadata } from 'litesvm/dist/internal.js';
import { addressBytes } from './bytes.ts';
import { readTransactionError, type TransactionError } from './errors.ts';

const SLOTS_PER_EPOCH = 432_000n;

export interface AccountState {
  lamports: bigint;
  owner: string;
  data: Uint8Array;
  executable: boolean;
}

export interface InnerInstruction {
  programIdIndex: number;
  accounts: number[];
  /** Base58. */
  data: string;
  stackHeight: number;
}

export interface Outcome {
  err: TransactionError | null;
  logs: string[];
  inner: { index: number; instructions: InnerInstruction[] }[];
  units: number;
  returnData: { programId: string; data: [string, 'base64'] } | null;
}

export interface Simulation extends Outcome {
  /** The accounts as they would be after the transaction. */
  accounts(): Map<string, AccountState>;
}

/**
 * LiteSVM behind checks in JavaScript. Addresses must be valid, and bytes must be those of a parsed transaction:
 * otherwise LiteSVM aborts the process.
 */
export class Engine {
  readonly #svm: LiteSvm;

  constructor() {
    this.#svm = new LiteSvm();
    // LiteSVM knows only the latest blockhash. The chain itself checks blockhashes and duplicates.
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
  }

  account(address: string): AccountState | undefined {
    const account = this.#svm.getAccount(bytesOf(address));
    return account ? fromAccount(account) : undefined;
  }

  /** Like `account`, but without a program's code, which is large to copy. */
  accountWithoutCode(address: string): AccountState | undefined {
    const account = this.#svm.getAccount(bytesOf(address));
    return account ? fromAccount(account, !account.executable()) : undefined;
  }

  /** Sets an account; removes it if the state is undefined. */
  setAccount(address: string, state: AccountState | undefined): void {
    const account = state
      ? new Account(state.lamports, state.data, bytesOf(state.owner), state.executable, 0n)
      : new Account(0n, new Uint8Array(), new Uint8Array(32), false, 0n);
    this.#svm.setAccount(bytesOf(address), account);
  }

  accountsOwnedBy(program: string): Map<string, AccountState> {
    const owned = this.#svm.getProgramAccounts(bytesOf(program));
    return new Map(owned.map((entry) => [bs58.encode(entry.address), fromAccount(entry.account())]));
  }

  execute(transaction: Uint8Array): Outcome {
    return readOutcome(this.#svm.sendVersionedTransaction(transaction));
  }

  simulate(transaction: Uint8Array, verifySignatures: boolean): Simulation {
    this.#svm.setSigverify(verifySignatures);
    try {
      const result = this.#svm.simulateVersionedTransaction(transaction);
      if (result instanceof FailedTransactionMetadata) return { ...readOutcome(result), accounts: () => new Map() };
      const accounts = () =>
        new Map(result.postAccounts().map((entry) => [bs58.encode(entry.address), fromAccount(entry.account())]));
      return { ...readOutcome(result.meta()), accounts };
    } finally {
      this.#svm.setSigverify(true);
    }
  }

  setClock(slot: number, unixSeconds: number): void {
    const epoch = BigInt(slot) / SLOTS_PER_EPOCH;
    this.#svm.setClock(new Clock(BigInt(slot), BigInt(unixSeconds), epoch, epoch + 1n, BigInt(unixSeconds)));
  }

  setSlotHashes(hashes: { slot: bigint; hash: string }[]): void {
    this.#svm.setSlotHashes(hashes);
  }

  rentExemption(dataLength: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(dataLength));
  }
}

function readOutcome(result: TransactionMetadata | FailedTransactionMetadata): Outcome {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const data = meta.returnData().data();
  const inner = meta.innerInstructions().map((instructions, index) => ({
    index,
    instructions: instructions.map((inner) => {
      const instruction = inner.instruction();
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: bs58.encode(instruction.data()),
        stackHeight: inner.stackHeight(),
      };
    }),
  }));
  return {
    err: failed ? readTransactionError(result.err()) : null,
    logs: meta.logs(),
    inner: inner.filter(({ instructions }) => instructions.length > 0),
    units: Number(meta.computeUnitsConsumed()),
    returnData:
      data.length === 0
        ? null
        : {
            programId: bs58.encode(meta.returnData().programId()),
            data: [Buffer.from(data).toString('base64'), 'base64'],
          },
  };
}

function fromAccount(account: Account, withData = true): AccountState {
  return {
    lamports: account.lamports(),
    owner: bs58.encode(account.owner()),
    data: withData ? account.data() : new Uint8Array(),
    executable: account.executable(),
  };
}

function bytesOf(address: string): Uint8Array {
  const bytes = addressBytes(address);
  if (!bytes) throw new Error(`${address} is no address.`);
  return bytes;
}
