import { type ExportFormat, type Post, UNCATEGORIZED } from '@archive/contracts';

/** Bytes per row for commas, quotation marks and the line end. */
const CSV_MARKS = 10;
/** Bytes between two posts. */
const JSON_MARKS = 2;
const UNITS = ['bytes', 'kB', 'MB', 'GB'];
const STEP = 1_000;

/** The estimated bytes of an export of `total` posts, from a sample of them. */
export function exportBytes(posts: readonly Post[], total: number, format: ExportFormat): number {
  const bytes = posts.reduce((sum, post) => sum + postBytes(post, format), 0);
  return Math.round((bytes / Math.max(1, posts.length)) * total);
}

/** `245 MB`: an estimate, so at most three figures. */
export function aboutBytes(bytes: number): string {
  let unit = 0;
  let rest = bytes;
  while (rest >= STEP && unit < UNITS.length - 1) {
    rest /= STEP;
    unit += 1;
  }
  return `${rest < 10 && unit > 0 ? rest.toFixed(1) : Math.round(rest)} ${UNITS[unit]}`;
}

function postBytes(post: Post, format: ExportFormat): number {
  if (format !== 'csv') return new Blob([JSON.stringify(post)]).size + JSON_MARKS;
  const { id, author, authorUsername, content, category, timestamp, url } = post;
  return new Blob([id, author, authorUsername, content, category ?? UNCATEGORIZED, timestamp, url]).size + CSV_MARKS;
}
