import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ActorKind } from '@archive/contracts';

export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [name: string]: AuditValue };
/** Ids, states and hashes; never words of a post or of a report. */
export type AuditState = Readonly<Record<string, AuditValue>>;

export interface Actor {
  kind: ActorKind;
  /** A wallet's address or a key's id. */
  id?: string;
}

/** What somebody did, as its use case tells it. */
export interface Act {
  actor: Actor;
  /** What was done, as two or three words: `make moderator`. */
  act: string;
  subject: { kind: string; id: string };
  before?: AuditState;
  after?: AuditState;
  /** The operator's own words. */
  reason?: string | undefined;
  requestId?: string | undefined;
}

/** One entry as the database holds it. */
export interface AuditEntry extends Act {
  /** Its place in the log, from 1, without a gap. */
  _id: number;
  /** By the database's clock, never before that of the entry before. */
  at: Date;
  /** The mark of the entry before; empty in the first. */
  previous: string;
  /** Of all the rest, by a key that the database does not hold. */
  mark: string;
}

/** How far a log has come. */
export interface AuditHead {
  seq: number;
  mark: string;
}

export const EMPTY_HEAD: AuditHead = { seq: 0, mark: '' };

/** Chains an act to the entry before. */
export function sealEntry(act: Act, seq: number, at: Date, previous: string, key: string): AuditEntry {
  // As it comes back from the database: fields that are absent, not undefined.
  const kept: Act = JSON.parse(JSON.stringify(act));
  const entry = { _id: seq, at, ...kept, previous };
  return { ...entry, mark: markOf(entry, key) };
}

export function isSealed({ mark, ...entry }: AuditEntry, key: string): boolean {
  // An instant that was made text reads the same, and is none any more.
  if (!(entry.at instanceof Date)) return false;
  const [given, right] = [Buffer.from(String(mark)), Buffer.from(markOf(entry, key))];
  return given.length === right.length && timingSafeEqual(given, right);
}

function markOf(entry: Omit<AuditEntry, 'mark'>, key: string): string {
  return createHmac('sha256', key).update(canonical(entry)).digest('base64url');
}

/** The same text for the same entry, whatever the order of its fields. */
function canonical(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
