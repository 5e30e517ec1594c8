import type { ReportReason, ReportState } from '@archive/contracts';

/** The reasons as a reporter sees them. */
export const REASON_CHOICES: Record<ReportReason, string> = {
  illegal: 'It is illegal',
  private: 'It shows private information',
  mine: 'I wrote this, and want it removed',
  about_me: 'It is about me',
  copyright: 'It infringes copyright',
  spam: 'It is spam',
  impersonation: 'It pretends to be someone',
  wrong: 'It differs from the original',
};

/** The outcome of a report if the operator wrote no answer. */
export const OUTCOMES: Record<Exclude<ReportState, 'open'>, { title: string; text: string }> = {
  kept: { title: 'The post stays', text: 'A person has looked, and it keeps to the rules.' },
  hidden: { title: 'The post is hidden', text: 'It is hidden from everyone. It can be shown again unchanged.' },
  removed: { title: 'The post is removed', text: 'It is gone for good, its words and its pictures.' },
};
