import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { Clock, type Commitment } from './clock.ts';
import { type AccountState, Engine, type Simulation } from './engine.ts';
import type { TransactionError } from './errors.ts';
import { type Execution, execute, type States, usesLookupTables } from './execution.ts';
import { writeGenesis } from './genesis.ts';
import type { Journal, Kept, Position } from './journal.ts';
import { Ledger, type TransactionRecord } from './ledger.ts';
import type { Transaction } from './transaction.ts';

/** Slots for which old accounts can be read; beyond any commitment unless configured otherwise. */
export const HISTORY_SLOTS = 300;
const SLOT_HASHES = 150;

export interface ChainOptions {
  /** Length of a slot; with 0 slots advance only on request. */
  slotMs: number;
  finalizedAfter: number;
  journal?: Journal | undefined;
  kept?: Kept | undefined;
}

export interface ChainListener {
  onSlot?(slot: number): void;
  /** A record has reached a commitment. Called once per record and commitment, in order. */
  onReached?(commitment: Commitment, record: TransactionRecord): void;
}

/** Accounts, slots and history. A transaction is executed when it arrives, and belongs to the current slot. */
export class Chain {
  readonly engine = new Engine();
  readonly ledger = new Ledger();
  readonly clock: Clock;
  readonly genesisHash: string;
  readonly listeners = new Set<ChainListener>();
  readonly #options: ChainOptions;
  /** The executions of the last slots, oldest first, with the accounts as they were before each. */
  #recent: Execution[] = [];
  readonly #reached = { confirmed: 0, finalized: 0 };
  #ticker: NodeJS.Timeout | undefined;

  constructor(options: ChainOptions) {
    this.#options = options;
    this.genesisHash = options.kept?.genesisHash ?? bs58.encode(randomBytes(32));
    this.clock = new Clock(this.genesisHash, options.finalizedAfter);
    writeGenesis(this.engine);
    if (options.kept) this.#restore(options.kept);
    else options.journal?.begin(this.genesisHash);
    this.#syncEngine();
  }

  get isRunning(): boolean {
    return this.#ticker !== undefined;
  }

  run(): void {
    if (this.#ticker || this.#options.slotMs === 0) return;
    this.#ticker = setInterval(() => this.#moveOn(1), this.#options.slotMs);
    this.#options.journal?.place(this.#position());
  }

  pause(): void {
    clearInterval(this.#ticker);
    this.#ticker = undefined;
    this.#options.journal?.place(this.#position());
  }

  /** Advances by a number of slots at once. */
  advance(slots: number): void {
    this.#moveOn(slots);
    this.#options.journal?.place(this.#position());
  }

  moveTime(seconds: number): void {
    this.clock.moveTime(seconds);
    this.#options.journal?.place(this.#position());
    this.#syncEngine();
  }

  /** An account as it was at the end of a slot. */
  account(address: string, atSlot = this.clock.slot): AccountState | undefined {
    const changed = this.#changedSince(atSlot);
    return changed.has(address) ? changed.get(address) : this.engine.account(address);
  }

  accountsOwnedBy(program: string, atSlot = this.clock.slot): Map<string, AccountState> {
    const owned = this.engine.accountsOwnedBy(program);
    for (const [address, state] of this.#changedSince(atSlot)) {
      if (state?.owner === program) owned.set(address, state);
      else owned.delete(address);
    }
    return owned;
  }

  submit(transaction: Transaction): { record: TransactionRecord } | { refused: TransactionError } {
    if (this.ledger.get(transaction.signature)) return { refused: 'AlreadyProcessed' };
    if (!this.clock.knows(transaction.message.blockhash)) return { refused: 'BlockhashNotFound' };
    return this.#land(transaction, this.clock);
  }

  /** Simulates a transaction on the newest accounts without changing them. */
  simulate(transaction: Transaction, verifySignatures: boolean): Simulation {
    if (usesLookupTables(transaction.message)) this.#syncSlotHashes();
    return this.engine.simulate(transaction.bytes, verifySignatures);
  }

  /**
   * Removes a transaction that is not finalized, as when its fork is abandoned. Later transactions are executed again,
   * in their own slots. Returns the removed signatures: its own, and those that could not be repeated.
   */
  rollBack(signature: string): string[] {
    const record = this.ledger.get(signature);
    if (!record) throw new Error(`${signature} is not on the chain.`);
    if (record.slot <= this.clock.slotAt('finalized')) throw new Error(`${signature} is finalized.`);
    const { records } = this.ledger;
    if (records.length - records.indexOf(record) > this.#recent.length) {
      throw new Error(`${signature} landed before the network was restarted.`);
    }
    const cut = this.ledger.cutFrom(record);
    const undone = this.#recent.splice(-cut.length);
    for (const { before } of undone.toReversed()) {
      for (const [address, state] of before) this.engine.setAccount(address, state);
    }
    const restored = new Map(undone.toReversed().flatMap(({ before }) => [...before]));
    this.#options.journal?.rollBack(
      cut.map(({ transaction }) => transaction.signature),
      restored,
    );
    this.#reached.confirmed = Math.min(this.#reached.confirmed, records.length);
    const gone = cut.slice(1).filter((later) => 'refused' in this.#land(later.transaction, later));
    this.#tellReached();
    return [signature, ...gone.map(({ transaction }) => transaction.signature)];
  }

  close(): void {
    this.#options.journal?.place(this.#position());
    clearInterval(this.#ticker);
    this.#options.journal?.close();
  }

  #moveOn(slots: number): void {
    this.clock.moveTo(this.clock.slot + slots);
    this.#syncEngine();
    this.#tellReached();
    for (const listener of this.listeners) listener.onSlot?.(this.clock.slot);
    const oldest = this.clock.slot - Math.max(HISTORY_SLOTS, this.#options.finalizedAfter);
    const stale = this.#recent.findIndex(({ record }) => record.slot > oldest);
    this.#recent = stale === -1 ? [] : this.#recent.slice(stale);
  }

  #land(
    transaction: Transaction,
    { slot, blockTime }: { slot: number; blockTime: number },
  ): { record: TransactionRecord } | { refused: TransactionError } {
    if (usesLookupTables(transaction.message)) this.#syncSlotHashes();
    const execution = execute(this.engine, transaction, { slot, blockTime });
    if ('refused' in execution) return execution;
    this.ledger.add(execution.record);
    this.#recent.push(execution);
    this.#options.journal?.add(execution, this.#position());
    this.#tell('processed', execution.record);
    return execution;
  }

  /** The accounts that changed after a slot, as they were at its end. */
  #changedSince(slot: number): States {
    const states: States = new Map();
    for (let at = this.#recent.length - 1; at >= 0; at -= 1) {
      const { record, before } = this.#recent[at] as Execution;
      if (record.slot <= slot) break;
      for (const [address, state] of before) states.set(address, state);
    }
    return states;
  }

  #tellReached(): void {
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const slot = this.clock.slotAt(commitment);
      for (;;) {
        const record = this.ledger.records[this.#reached[commitment]];
        if (!record || record.slot > slot) break;
        this.#reached[commitment] += 1;
        this.#tell(commitment, record);
      }
    }
  }

  #tell(commitment: Commitment, record: TransactionRecord): void {
    for (const listener of this.listeners) listener.onReached?.(commitment, record);
  }

  #syncEngine(): void {
    this.engine.setClock(this.clock.slot, this.clock.blockTime);
  }

  #syncSlotHashes(): void {
    const slots = Array.from({ length: SLOT_HASHES }, (_, index) => this.clock.slot - 1 - index);
    this.engine.setSlotHashes(slots.map((slot) => ({ slot: BigInt(slot), hash: this.clock.blockhash(slot) })));
  }

  #restore({ position, records, accounts }: Kept): void {
    for (const [address, state] of accounts) this.engine.setAccount(address, state);
    for (const record of records) this.ledger.add(record);
    const { slotMs } = this.#options;
    const missed = position.at === null || slotMs === 0 ? 0 : Math.max(0, Date.now() - position.at) / slotMs;
    this.clock.moveTo(Math.max(position.slot + 1 + Math.floor(missed), this.clock.slot));
    this.clock.moveTime(position.offsetSeconds);
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const slot = this.clock.slotAt(commitment);
      this.#reached[commitment] = records.filter((record) => record.slot <= slot).length;
    }
  }

  #position(): Position {
    const { slot, offsetSeconds } = this.clock;
    return { slot, offsetSeconds, at: this.isRunning ? Date.now() : null };
  }
}
