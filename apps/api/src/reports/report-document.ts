import type { HiddenFor, ReportReason, ReportState } from '@archive/contracts';
import type { ObjectId } from 'mongodb';

/** A report of a post. */
export interface ReportDocument {
  _id: ObjectId;
  number: number;
  post: ObjectId;
  reason: ReportReason;
  /** Empty if enough texts about the post are kept already, and some time after the decision. */
  words: string;
  contact: string;
  /** Pseudonym of the reporter's network; deleted some time after the decision. */
  network?: string;
  /** SHA-256 of the reporters' secrets; later reporters of the same network share the report. */
  secrets: string[];
  state: ReportState;
  createdAt: Date;
  doneAt?: Date;
  /** The operator's answer. */
  answer?: string;
  /** The round of the decision. */
  decidedIn?: number;
}

/** A reported post, with its last decision. */
export interface ReportedDocument {
  /** `_id` of the post. */
  _id: ObjectId;
  /** `deciding`: an operator's decision is in progress, or was interrupted if it began a while ago. */
  state: 'open' | 'deciding' | 'done';
  /** Of the gravest reported reason. */
  gravity: number;
  counts: Partial<Record<ReportReason, number>>;
  /** Pseudonyms of the first networks that reported it; `graveNetworks` only those with grave reasons. */
  networks: string[];
  graveNetworks: string[];
  /** Number of decisions; each decision begins the next round. */
  round: number;
  firstAt: Date;
  changedAt: Date;
  hiddenByReportsAt?: Date;
  /** An operator has decided to keep the post, so reports no longer hide it. */
  wasKept?: true;
  decision?: Decision;
}

export interface Decision {
  act: 'hide' | 'dismiss' | 'remove';
  by: string;
  at: Date;
  reason?: string;
  answer?: string;
  /** The state before the decision, so that it can be taken back. */
  hiddenBefore?: HiddenFor;
}

/**
 * Lower values are shown to operators first. Stored documents contain these numbers, so a new reason needs a value
 * between two of them.
 */
export const GRAVITY: Record<ReportReason, number> = {
  illegal: 0,
  private: 1,
  mine: 1.5,
  about_me: 2,
  copyright: 3,
  spam: 4,
  impersonation: 5,
  wrong: 6,
};
