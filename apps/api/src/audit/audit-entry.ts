import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ActorKind } from '@archive/contracts';

export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [name: string]: AuditValue };
/** Ids, states and hashes; never text of a post or of a report. */
export type AuditState = Readonly<Record<string, AuditValue>>;

export interface Actor {
  kind: ActorKind;
  /** A wallet's address or a key's id. */
  id?: string;
}

/** An act, as its use case reports it. */
export interface Act {
  actor: Actor;
  /** The act in two or three words: `make moderator`. */
  act: string;
  subject: { kind: string; id: string };
  before?: AuditState;
  after?: AuditState;
  /** The operator's own words. */
  reason?: string | undefined;
  requestId?: string | undefined;
}

/** An entry as stored in the database. */
export interface AuditEntry extends Act {
  /** Sequence number, from 1, without gaps. */
  _id: number;
  /** By the database's clock, never earlier than the previous entry. */
  at: Date;
  /** The mark of the previous entry; empty in the first one. */
  previous: string;
  /** HMAC of all other fields, with a key that the database does not hold. */
  mark: string;
}

/** The last entry of a log. */
export interface AuditHead {
  seq: number;
  mark: string;
}

export const EMPTY_HEAD: AuditHead = { seq: 0, mark: '' };

/** Creates the entry that follows the previous one in the chain. */
export function sealEntry(act: Act, seq: number, at: Date, previous: string, key: string): AuditEntry {
  // The form that comes back from the database: without undefined fields.
  const kept: Act = JSON.parse(JSON.stringify(act));
  const entry = { _id: seq, at, ...kept, previous };
  return { ...entry, mark: markOf(entry, key) };
}

export function isSealed({ mark, ...entry }: AuditEntry, key: string): boolean {
  // A date that was replaced by its text would give the same mark.
  if (!(entry.at instanceof Date)) return false;
  const [given, right] = [Buffer.from(String(mark)), Buffer.from(markOf(entry, key))];
  return given.length === right.length && timingSafeEqual(given, right);
}

function markOf(entry: Omit<AuditEntry, 'mark'>, key: string): string {
  return createHmac('sha256', key).update(canonical(entry)).digest('base64url');
}

/** The same text for equal entries, whatever the order of their fields. */
function canonical(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
