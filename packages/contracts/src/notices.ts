/** `save`: a request of this wallet's came to its end; `token`: one it launched is confirmed. */
export const NOTICE_KINDS = ['search', 'save', 'featured', 'credit', 'token'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
