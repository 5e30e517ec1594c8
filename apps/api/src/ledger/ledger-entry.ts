import type { HiddenFor, Platform } from '@archive/contracts';
import type { Document, ObjectId } from 'mongodb';

/**
 * An act that a restore of an older backup must not undo. Documents are whole, as the database will hold them, because
 * the ledger knows none of the features.
 */
export type LedgerEntry =
  /**
   * `paid` names the payments and uses of credits that have featured the post; they stay spent. Absent in old entries.
   */
  | { kind: 'removal'; post: ObjectId; ids: string[]; fingerprint: string; paid?: string[]; removedAt: Date }
  /** Operators have hidden the post, which is kept aside, or shown it again. The last of both counts. */
  | { kind: 'hidden'; post: ObjectId; ids: string[]; fingerprint: string; hiddenFor: HiddenFor }
  | { kind: 'unhidden'; post: ObjectId }
  /** The author has taken the post away on its platform, or brought it back. The last of both counts. */
  | { kind: 'sealed'; post: ObjectId; reason: 'deleted' | 'protected'; platform: Platform }
  | { kind: 'unsealed'; post: ObjectId }
  /** `createdAt` identifies an opt-out; an opt-in ends only the one that it names. Absent in old entries. */
  | { kind: 'opt-out' | 'opt-in'; handle: string; createdAt?: Date }
  /** A wish of an author; the last one counts. */
  | { kind: 'wish'; wish: Document }
  /**
   * Signed but not sent yet, without the text of its post. `post` holds the post's keys, so that a post that is saved
   * again finds its token.
   */
  | { kind: 'launch-signed'; launch: Document; post: { _id: ObjectId; ids: string[]; fingerprint: string } }
  /** The form of an earlier version, with the whole post. */
  | { kind: 'launch'; launch: Document; post: Document }
  /** `payment` in its first state. */
  | { kind: 'payment'; payment: Document }
  /** A payment that should have featured its post and became a credit. */
  | { kind: 'credit'; payment: string; reason: string }
  /** All credits of the use are taken. From now on the state of the post decides the outcome. */
  | { kind: 'use'; use: Document }
  | { kind: 'use-released'; use: string }
  /** An operator refunds the credit, so it is held and cannot be used as well. */
  | { kind: 'refund' | 'refund-undone'; payment: string; use: string }
  /**
   * The transaction that refunded a held credit. `refund-unmarked` means that the database refused the mark afterwards.
   */
  | { kind: 'refund-marked' | 'refund-unmarked'; payment: string; refund: { transaction: string; at: Date } }
  | { kind: 'key-revoked'; key: string }
  /** A moderator appointed by then loses the role. */
  | { kind: 'moderator-unmade'; wallet: string; unmadeAt: Date }
  /** Data of the wallet from before then is deleted, except for its payments and launches. */
  | { kind: 'account-deleted'; wallet: string; deletedAt: Date }
  /** A picture or video that is never stored again, by the SHA-256 of its bytes. */
  | { kind: 'media-blocked'; sha256: string }
  /** A feature or wallet that operators have stopped or reopened. The last entry of each counts. */
  | { kind: 'switch'; name: string; isStopped: boolean }
  | { kind: 'suspension'; wallet: string; isSuspended: boolean }
  /** The last entry of the audit log at that time. It reveals entries that are later cut off. */
  | { kind: 'audit-head'; seq: number; mark: string }
  /** Aliases, added by the key to other senders' posts, that are removed. */
  | { kind: 'aliases-dropped'; key: string; ids: readonly string[] };

/** An entry as written in a file. */
export type KeptEntry = LedgerEntry & {
  /** By the database's clock. */
  at: Date;
};

/** Records acts before they are done. */
export interface LedgerWriter {
  /**
   * Resolves when the entry is on disk.
   *
   * @throws AppError ledger_unavailable where it is not: then the act must not be done.
   */
  record(entry: LedgerEntry): Promise<void>;
}

/** For stores that are only read. An act that needs the ledger fails without one. */
export const NO_LEDGER: LedgerWriter = {
  record: ({ kind }) => Promise.reject(new Error(`there is no ledger to write this ${kind} to`)),
};
