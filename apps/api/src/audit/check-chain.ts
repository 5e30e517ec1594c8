import type { KeptEntry } from '../ledger/ledger-entry.ts';
import { type AuditEntry, type AuditHead, EMPTY_HEAD, isSealed } from './audit-entry.ts';

export interface ChainReport {
  entries: number;
  /** Messages, oldest first. */
  faults: string[];
}

const FAULTS_TOLD = 100;

/**
 * Checks the audit log, oldest entry first. Reports entries that were altered, removed, cut off at the end, or inserted
 * by hand. `heads` are the last entries that the ledger knows.
 */
export async function checkChain(
  entries: AsyncIterable<AuditEntry> | Iterable<AuditEntry>,
  heads: readonly AuditHead[],
  key: string,
): Promise<ChainReport> {
  const check = new ChainCheck(heads, key);
  for await (const entry of entries) check.take(entry);
  return check.end();
}

class ChainCheck {
  readonly #key: string;
  /** Marks that the ledger knows, by number. */
  readonly #heads = new Map<number, Set<string>>();
  readonly #faults: string[] = [];
  /** The previous entry, as its own fields describe it. */
  #last: AuditHead | null = null;
  #entries = 0;
  /** Number and mark of the last expired entry. */
  #expired: AuditHead = EMPTY_HEAD;
  /** Numbers of entries that a restore has lost. */
  readonly #lost: { from: number; to: number }[] = [];
  /** Breaks that a later expire entry may explain, since expired entries are removed in any order. */
  readonly #breaks: { at: number; previous: string; fault: string }[] = [];

  constructor(heads: readonly AuditHead[], key: string) {
    this.#key = key;
    for (const { seq, mark } of heads) this.#heads.set(seq, (this.#heads.get(seq) ?? new Set()).add(mark));
  }

  take(entry: AuditEntry): void {
    this.#entries++;
    const { _id: seq, mark } = entry;
    if (!isSealed(entry, this.#key)) {
      this.#fault(`entry ${seq} was altered, or put there by hand: its mark is not right`);
    } else {
      this.#follow(entry);
      if (entry.act === 'expire') this.#expire(entry);
    }
    this.#last = { seq, mark };
    this.#compare(seq, mark);
  }

  end(): ChainReport {
    for (const { at, previous, fault } of this.#breaks) {
      const { seq, mark } = this.#expired;
      if (at > seq && !(at === seq + 1 && previous === mark)) this.#fault(fault);
    }
    for (const seq of [...this.#heads.keys()].sort((one, other) => one - other)) {
      const isExcused = seq <= this.#expired.seq || this.#lost.some(({ from, to }) => from <= seq && seq <= to);
      if (!isExcused) this.#fault(`entry ${seq}, which the ledger tells of, is not there`);
    }
    return { entries: this.#entries, faults: this.#faults };
  }

  /** Checks that an entry follows the previous one, or begins the log. */
  #follow(entry: AuditEntry): void {
    const before = this.#last ?? EMPTY_HEAD;
    const { _id: seq, previous } = entry;
    if (isRestore(entry, before)) {
      this.#lost.push({ from: before.seq + 1, to: seq - 1 });
      return;
    }
    const fault =
      seq !== before.seq + 1
        ? `between entries ${before.seq} and ${seq} something was cut out`
        : previous !== before.mark
          ? `entry ${seq} does not go on from entry ${before.seq}, which was altered or put there by hand`
          : null;
    if (fault) this.#breaks.push({ at: seq, previous, fault });
  }

  #expire({ after }: AuditEntry): void {
    const [seq, mark] = [after?.['seq'], after?.['mark']];
    if (typeof seq === 'number' && typeof mark === 'string' && seq > this.#expired.seq) this.#expired = { seq, mark };
  }

  #compare(seq: number, mark: string): void {
    const told = this.#heads.get(seq);
    if (!told) return;
    this.#heads.delete(seq);
    if (!told.has(mark)) this.#fault(`entry ${seq} is another than the ledger tells of`);
  }

  #fault(words: string): void {
    if (this.#faults.length < FAULTS_TOLD) this.#faults.push(words);
  }
}

/** Whether an entry was written by the restore of a backup that ended with the previous entry. */
function isRestore({ _id, act, after, previous }: AuditEntry, { seq, mark }: AuditHead): boolean {
  if (act !== 'restore' || previous !== mark) return false;
  const { backup, ledger } = (after ?? {}) as { backup?: AuditHead; ledger?: AuditHead | null };
  return backup?.seq === seq && backup.mark === mark && _id === Math.max(seq, ledger?.seq ?? 0) + 1;
}

/** The last entries that the ledger has recorded. */
export function headsOf(entries: readonly KeptEntry[]): AuditHead[] {
  // Numbers in the ledger's files are read as the database's own types.
  return entries.flatMap((entry) =>
    entry.kind === 'audit-head' ? [{ seq: Number(entry.seq), mark: entry.mark }] : [],
  );
}
