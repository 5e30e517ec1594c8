/** `save`: a request of this wallet's came to its end; `token`: one it launched is confirmed. */
export const NOTICE_KINDS = ['search', 'save', 'featured', 'credit', 'token'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Where a notice is told: in the page, and by push. */
export const NOTICE_PLACES = ['page', 'push'] as const;
export type NoticePlace = (typeof NOTICE_PLACES)[number];

/** What a browser is sent, and all that it is sent. */
export interface PushMessage {
  title: string;
  body: string;
  /** A path of our own. */
  url: string;
  /** One that has the tag of another takes its place. */
  tag: string;
}
