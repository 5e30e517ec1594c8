import type { HiddenFor, ReportReason, ReportState } from '@archive/contracts';
import type { ObjectId } from 'mongodb';

/** What somebody has reported of a post. */
export interface ReportDocument {
  _id: ObjectId;
  number: number;
  post: ObjectId;
  reason: ReportReason;
  /** Empty where as many are kept of the post already, and some time after the decision. */
  words: string;
  contact: string;
  /** What stands for the reporter's network; gone some time after the decision. */
  network?: string;
  /** SHA-256 of what the reporters know: others of the same network follow the same report. */
  secrets: string[];
  state: ReportState;
  createdAt: Date;
  doneAt?: Date;
  /** What the operator had to say. */
  answer?: string;
  /** Round of the decision. */
  decidedIn?: number;
}

/** A post that was reported, and what was decided last. */
export interface ReportedDocument {
  /** Of the post. */
  _id: ObjectId;
  /** `deciding`: somebody is at it; where that is a while ago, they were killed at it. */
  state: 'open' | 'deciding' | 'done';
  /** Of the gravest reason. */
  gravity: number;
  counts: Partial<Record<ReportReason, number>>;
  /** What stands for the networks it was reported from, the first ones; of grave reasons alone in `graveNetworks`. */
  networks: string[];
  graveNetworks: string[];
  /** Of its decisions: each begins the next one. */
  round: number;
  firstAt: Date;
  changedAt: Date;
  hiddenByReportsAt?: Date;
  /** Somebody has looked and kept it: reports hide it no more. */
  wasKept?: true;
  decision?: Decision;
}

export interface Decision {
  act: 'hide' | 'dismiss' | 'remove';
  by: string;
  at: Date;
  reason?: string;
  answer?: string;
  /** How the post stood before, to be taken back. */
  hiddenBefore?: HiddenFor;
}

/** The lower, the earlier an operator is shown it. Kept rows hold these numbers: a new reason stands between two of them. */
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
