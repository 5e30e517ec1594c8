/** Why a post is reported, gravest first. Operators see reports in this order. */
export const REPORT_REASONS = [
  'illegal',
  'private',
  'mine',
  'about_me',
  'copyright',
  'spam',
  'impersonation',
  'wrong',
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** States of a report. */
export const REPORT_STATES = ['open', 'kept', 'hidden', 'removed'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** Why operators hide a post: the law, or the archive's own rules. */
export const HIDDEN_FOR = ['law', 'rules'] as const;
export type HiddenFor = (typeof HIDDEN_FOR)[number];

/** State of a post in the archive, as operators see it. */
export const POST_STATES = ['shown', 'hidden', 'deleted', 'protected', 'removed'] as const;
export type PostState = (typeof POST_STATES)[number];

/** A report's number as it is shown. */
export function reportName(number: number): string {
  return `R-${number}`;
}
