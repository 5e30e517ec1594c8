import type { InnerInstruction, Outcome } from './engine.ts';
import type { TokenAmount } from './token-accounts.ts';
import type { Transaction } from './transaction.ts';

export interface TokenBalance {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  uiTokenAmount: TokenAmount;
}

/** A transaction that landed, successful or not. */
export interface TransactionRecord {
  transaction: Transaction;
  slot: number;
  /** Unix seconds. */
  blockTime: number;
  /** All keys: static ones, then the writable and the readonly ones from lookup tables. */
  keys: string[];
  loaded: { writable: string[]; readonly: string[] };
  err: Outcome['err'];
  /** Lamports. */
  fee: number;
  preBalances: number[];
  postBalances: number[];
  preTokenBalances: TokenBalance[];
  postTokenBalances: TokenBalance[];
  inner: { index: number; instructions: InnerInstruction[] }[];
  logs: string[];
  units: number;
  returnData: Outcome['returnData'];
  /** The memos as a signature history shows them, e.g. `[5] hello`. */
  memo: string | null;
}

/** Every transaction that landed, in order. */
export class Ledger {
  readonly records: TransactionRecord[] = [];
  readonly #bySignature = new Map<string, TransactionRecord>();
  readonly #byAddress = new Map<string, TransactionRecord[]>();

  add(record: TransactionRecord): void {
    this.records.push(record);
    this.#bySignature.set(record.transaction.signature, record);
    for (const key of new Set(record.keys)) {
      const list = this.#byAddress.get(key);
      if (list) list.push(record);
      else this.#byAddress.set(key, [record]);
    }
  }

  get(signature: string): TransactionRecord | undefined {
    return this.#bySignature.get(signature);
  }

  isBefore(first: TransactionRecord, second: TransactionRecord): boolean {
    if (first.slot !== second.slot) return first.slot < second.slot;
    return this.records.indexOf(first) < this.records.indexOf(second);
  }

  /** The records that contain the address, oldest first. */
  naming(address: string): readonly TransactionRecord[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** Removes this record and all later ones, and returns them in order. */
  cutFrom(record: TransactionRecord): TransactionRecord[] {
    const cut = this.records.splice(this.records.indexOf(record));
    for (const { transaction, keys } of cut) {
      this.#bySignature.delete(transaction.signature);
      for (const key of new Set(keys))
        this.#byAddress.set(
          key,
          this.naming(key).filter((kept) => !cut.includes(kept)),
        );
    }
    return cut;
  }
}
