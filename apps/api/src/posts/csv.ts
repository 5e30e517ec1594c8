import { type Post, UNCATEGORIZED } from '@archive/contracts';

const BYTE_ORDER_MARK = '\ufeff';

/** Columns of the specification, in its order. */
export const CSV_COLUMNS = ['ID', 'Author', 'Username', 'Content', 'Category', 'Date', 'URL'] as const;

/** What a row needs of a post as it is kept; an export of everything reads nothing else. */
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
  // Tells what may not be given whole.
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
 * A cell a spreadsheet would run as a formula gets one leading apostrophe; so does one that already looks guarded, so
 * that taking one off gives back exactly what was there.
 */
export function guardCell(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

export function unguardCell(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

function csvCell(text: string): string {
  const guarded = guardCell(text);
  // RFC 4180, and cells that begin or end in a blank, which readers like to trim.
  return /[",\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
