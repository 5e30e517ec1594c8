/** `save`: a request of this wallet has ended; `token`: a token that it launched is confirmed. */
export const NOTICE_KINDS = ['search', 'save', 'featured', 'credit', 'token'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Where a notice appears: in the page, and as a push message. */
export const NOTICE_PLACES = ['page', 'push'] as const;
export type NoticePlace = (typeof NOTICE_PLACES)[number];

/** The complete content of a push message. */
export interface PushMessage {
  title: string;
  body: string;
  /** A path of this site. */
  url: string;
  /** A message replaces an earlier one with the same tag. */
  tag: string;
}
