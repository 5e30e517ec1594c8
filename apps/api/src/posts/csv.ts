import { type Post, UNCATEGORIZED } from '@archive/contracts';

const BYTE_ORDER_MARK = '\ufeff';

/** Columns and their order as the specification gives them. */
export const CSV_COLUMNS = ['ID', 'Author', 'Username', 'Content', 'Category', 'Date', 'URL'] as const;

/** The fields of a kept post that a row needs. An export of the whole archive reads only these. */
export const CSV_FIELDS = {
  id: 1,
  content: 1,
  author: 1,
  authorUsername: 1,
  category: 1,
  timestamp: 1,
  url: 1,
  removedAt: 1,
  metadata: 1,
  createdAt: 1,
  // `origin` decides whether a post may be given whole.
  origin: 1,
} as const;

export function csvHeader(): string {
  return `${BYTE_ORDER_MARK}${CSV_COLUMNS.join(',')}\r\n`;
}

export function csvRow(post: Post): string {
  const cells = [
    post.id,
    post.author,
    post.authorUsername,
    post.content,
    post.category ?? UNCATEGORIZED,
    post.timestamp,
    post.url,
  ];
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * Guards a cell against formulas: a cell that a spreadsheet would run gets one leading apostrophe. A cell that already
 * looks guarded gets one too, so that removing one apostrophe always restores the original text.
 */
export function guardCell(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

export function unguardCell(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

function csvCell(text: string): string {
  const guarded = guardCell(text);
  // Quotes as in RFC 4180, and also cells that begin or end with a blank, which some readers trim.
  return /[",\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
