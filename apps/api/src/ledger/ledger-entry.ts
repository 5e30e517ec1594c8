import type { HiddenFor, Platform } from '@archive/contracts';
import type { Document, ObjectId } from 'mongodb';

/**
 * An act that a restore of an older backup must not undo. Documents are whole, as the database is about to hold them: the
 * ledger knows none of the features whose acts it keeps.
 */
export type LedgerEntry =
  /** `paid` names the payments and uses of credits that have featured it: they stay spent. Entries of before lack it. */
  | { kind: 'removal'; post: ObjectId; ids: string[]; fingerprint: string; paid?: string[]; removedAt: Date }
  /** Operators hid it, and it is kept aside whole; the latest of both counts. */
  | { kind: 'hidden'; post: ObjectId; ids: string[]; fingerprint: string; hiddenFor: HiddenFor }
  | { kind: 'unhidden'; post: ObjectId }
  /** Its author took it away at its source, or brought it back there; the latest of both counts. */
  | { kind: 'sealed'; post: ObjectId; reason: 'deleted' | 'protected'; platform: Platform }
  | { kind: 'unsealed'; post: ObjectId }
  /** `createdAt` tells one refusal of an author from another: consent ends the one that it names. Entries of before lack it. */
  | { kind: 'opt-out' | 'opt-in'; handle: string; createdAt?: Date }
  /** What an author asked for, whole; the latest counts. */
  | { kind: 'wish'; wish: Document }
  /** Signed and not sent yet, without words of its post; `post` names that, so that it is never without its token. */
  | { kind: 'launch-signed'; launch: Document; post: { _id: ObjectId; ids: string[]; fingerprint: string } }
  /** The same as the version before wrote it, with the post whole. */
  | { kind: 'launch'; launch: Document; post: Document }
  /** `payment` in any state that it begins in. */
  | { kind: 'payment'; payment: Document }
  /** A payment that was to feature its post and is a credit instead. */
  | { kind: 'credit'; payment: string; reason: string }
  /** All its credits are taken: from here on the post alone decides what becomes of it. */
  | { kind: 'use'; use: Document }
  | { kind: 'use-released'; use: string }
  /** Paid back by an operator: the credit is held, so that it cannot be used as well. */
  | { kind: 'refund' | 'refund-undone'; payment: string; use: string }
  /** The transaction that paid a held credit back; `refund-unmarked` where the database then refused that. */
  | { kind: 'refund-marked' | 'refund-unmarked'; payment: string; refund: { transaction: string; at: Date } }
  | { kind: 'key-revoked'; key: string }
  /** A moderator who was made by then is one no more. */
  | { kind: 'moderator-unmade'; wallet: string; unmadeAt: Date }
  /** What is kept of a wallet from before then goes, but for its payments and launches. */
  | { kind: 'account-deleted'; wallet: string; deletedAt: Date }
  /** A picture or video that is kept never again, by the SHA-256 of its bytes. */
  | { kind: 'media-blocked'; sha256: string }
  /** What operators have stopped or opened; the latest of each counts. */
  | { kind: 'switch'; name: string; isStopped: boolean }
  | { kind: 'suspension'; wallet: string; isSuspended: boolean }
  /** How far the log of acts had come: what is cut off behind it shows. */
  | { kind: 'audit-head'; seq: number; mark: string }
  /** These ids go that the key had added to posts of others. */
  | { kind: 'aliases-dropped'; key: string; ids: readonly string[] };

/** An entry as it stands in a file. */
export type KeptEntry = LedgerEntry & {
  /** By the database's clock. */
  at: Date;
};

/** What acts are written to before they are done. */
export interface LedgerWriter {
  /**
   * Resolves when the entry is on disk.
   *
   * @throws AppError ledger_unavailable where it is not: then the act must not be done.
   */
  record(entry: LedgerEntry): Promise<void>;
}

/** For a store that is only read: what belongs into the ledger is not done without one. */
export const NO_LEDGER: LedgerWriter = {
  record: ({ kind }) => Promise.reject(new Error(`there is no ledger to write this ${kind} to`)),
};
