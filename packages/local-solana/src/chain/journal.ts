import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountState } from './engine.ts';
import type { Execution, States } from './execution.ts';
import type { TransactionRecord } from './ledger.ts';
import { decodeTransaction } from './transaction.ts';

const FORMAT = 1;

/**
 * The position of the slots. With `at` (unix milliseconds) they were advancing by time at that moment, and the time
 * since then counts.
 */
export interface Position {
  slot: number;
  offsetSeconds: number;
  at: number | null;
}

type StoredAccount = [lamports: string, owner: string, data: string, executable: boolean] | null;

interface Line {
  genesis?: { format: number; hash: string };
  position?: Position;
  record?: Omit<TransactionRecord, 'transaction'> & { bytes: string };
  rolledBack?: string[];
  accounts?: Record<string, StoredAccount>;
}

export interface Kept {
  genesisHash: string;
  position: Position;
  records: TransactionRecord[];
  /** The accounts that transactions could change, as the last one left them. */
  accounts: States;
}

/**
 * The chain on disk: one line per transaction that landed, with the accounts as it left them. Each line is written
 * before any client learns of its transaction, so a kill loses none. An incomplete last line is cut off.
 */
export class Journal {
  readonly #file: number;

  private constructor(path: string) {
    this.#file = openSync(path, 'a', 0o600);
  }

  static open(directory: string): { journal: Journal; kept: Kept | undefined } {
    mkdirSync(directory, { recursive: true });
    const path = join(directory, 'chain.jsonl');
    const kept = readKept(path);
    return { journal: new Journal(path), kept };
  }

  add({ record, after }: Pick<Execution, 'record' | 'after'>, position: Position): void {
    const { transaction, ...rest } = record;
    this.#write({
      position,
      record: { ...rest, bytes: Buffer.from(transaction.bytes).toString('base64') },
      accounts: storeAll(after),
    });
  }

  begin(genesisHash: string): void {
    this.#write({ genesis: { format: FORMAT, hash: genesisHash } });
  }

  rollBack(signatures: string[], accounts: States): void {
    this.#write({ rolledBack: signatures, accounts: storeAll(accounts) });
  }

  place(position: Position): void {
    this.#write({ position });
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #write(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

function readKept(path: string): Kept | undefined {
  let text: Buffer;
  try {
    text = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const whole = text.lastIndexOf(0x0a) + 1;
  if (whole < text.length) truncateSync(path, whole);
  if (whole === 0) return undefined;
  const kept: Kept = {
    genesisHash: '',
    position: { slot: 0, offsetSeconds: 0, at: null },
    records: [],
    accounts: new Map(),
  };
  for (let from = 0; from < whole; ) {
    const to = text.indexOf(0x0a, from);
    readLine(parseLine(text.toString('utf8', from, to), path), kept, path);
    from = to + 1;
  }
  return kept;
}

function parseLine(text: string, path: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    throw new Error(`${path} is damaged; remove it to begin a new chain`);
  }
}

function readLine({ genesis, position, record, rolledBack, accounts }: Line, kept: Kept, path: string): void {
  if (genesis) {
    if (genesis.format !== FORMAT)
      throw new Error(`its chain is of another version; remove ${path} to begin a new one`);
    kept.genesisHash = genesis.hash;
  }
  if (position) kept.position = position;
  if (record) {
    const { bytes, ...rest } = record;
    kept.records.push({ transaction: decodeTransaction(Buffer.from(bytes, 'base64')), ...rest });
  }
  if (rolledBack) kept.records = kept.records.filter(({ transaction }) => !rolledBack.includes(transaction.signature));
  for (const [address, state] of Object.entries(accounts ?? {})) kept.accounts.set(address, restore(state));
}

function storeAll(states: States): Record<string, StoredAccount> {
  return Object.fromEntries([...states].map(([address, state]) => [address, store(state)]));
}

function store(state: AccountState | undefined): StoredAccount {
  if (!state) return null;
  return [`${state.lamports}`, state.owner, Buffer.from(state.data).toString('base64'), state.executable];
}

function restore(stored: StoredAccount): AccountState | undefined {
  if (!stored) return undefined;
  const [lamports, owner, data, executable] = stored;
  return { lamports: BigInt(lamports), owner, data: new Uint8Array(Buffer.from(data, 'base64')), executable };
}
