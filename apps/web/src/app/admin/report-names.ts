import type { PostState, ReportedPost, ReportReason } from '@archive/contracts';

export const REASON_NAMES: Record<ReportReason, string> = {
  illegal: 'illegal',
  private: 'private information',
  mine: 'the author asks for removal',
  about_me: 'about me',
  copyright: 'copyright',
  spam: 'spam',
  impersonation: 'impersonation',
  wrong: 'not what was posted',
};

export const STATE_NAMES: Record<PostState, string> = {
  shown: 'shown',
  hidden: 'hidden',
  deleted: 'deleted by its author',
  protected: 'protected by its author',
  removed: 'removed for good',
};

export const DECISION_NAMES: Record<NonNullable<ReportedPost['decision']>['act'], string> = {
  hide: 'Hidden',
  dismiss: 'Dismissed',
  remove: 'Removed',
};

/** The number of reports of a post. */
export function reportCount({ counts }: Pick<ReportedPost, 'counts'>): number {
  return Object.values(counts).reduce((sum: number, count) => sum + (count ?? 0), 0);
}

/** The age of an instant: `19 h`, `40 min`. */
export function ageOf(instant: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(instant)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
}
