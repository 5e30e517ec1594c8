import { PlainError } from '../../../wallet/wallet-errors.ts';
import { PAYMENT_KEY } from './payment-key.ts';

/** A signed payment. It is stored before it is sent, until its end is known. */
export interface JournalEntry {
  /** The transaction's first signature, base58. */
  signature: string;
  /** The signed bytes, base64. They are resent unchanged and never rebuilt. */
  transaction: string;
  /** The last block height at which the transaction can land. */
  lastValidBlockHeight: number;
  postId: string;
  wallet: string;
  network: string;
  /** The price in tokens, as it was shown. */
  amount: string;
  createdAt: string;
}

/** After seven days the payment has landed or never will, and the server has found it by its memo. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

const NOT_KEPT = 'This browser does not keep data of this site, so the payment could not be followed.';

/** All payments of this browser whose end is unknown, oldest first. */
export function readJournal(now = Date.now()): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PAYMENT_KEY))) {
    const entry = parseEntry(localStorage.getItem(key) ?? '');
    if (entry !== null && `${PAYMENT_KEY}${entry.signature}` === key && now - Date.parse(entry.createdAt) < KEPT_MS) {
      entries.push(entry);
    } else localStorage.removeItem(key);
  }
  return entries.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/** The unfinished payment of this wallet for this post. */
export function findEntry(wallet: string, postId: string): JournalEntry | null {
  return readJournal().find((entry) => entry.wallet === wallet && entry.postId === postId) ?? null;
}

export function isInJournal({ signature }: JournalEntry): boolean {
  return localStorage.getItem(PAYMENT_KEY + signature) !== null;
}

/** @throws PlainError where storage is forbidden: what cannot be remembered is not sent. */
export function keepEntry(entry: JournalEntry): void {
  try {
    localStorage.setItem(PAYMENT_KEY + entry.signature, JSON.stringify(entry));
  } catch {
    throw new PlainError(NOT_KEPT);
  }
}

export function removeEntry({ signature }: JournalEntry): void {
  localStorage.removeItem(PAYMENT_KEY + signature);
}

/** Parses a journal entry; null if it is damaged. */
export function parseEntry(text: string): JournalEntry | null {
  try {
    const entry = JSON.parse(text) as Partial<Record<keyof JournalEntry, unknown>> | null;
    if (typeof entry !== 'object' || entry === null) return null;
    const { signature, transaction, lastValidBlockHeight, postId, wallet, network, amount, createdAt } = entry;
    if (typeof lastValidBlockHeight !== 'number' || !Number.isSafeInteger(lastValidBlockHeight)) return null;
    if (typeof signature !== 'string' || typeof transaction !== 'string' || typeof postId !== 'string') return null;
    if (typeof wallet !== 'string' || typeof network !== 'string' || typeof amount !== 'string') return null;
    if (typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt))) return null;
    return { signature, transaction, lastValidBlockHeight, postId, wallet, network, amount, createdAt };
  } catch {
    return null;
  }
}
