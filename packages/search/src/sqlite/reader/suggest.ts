import { foldText } from '@archive/contracts';
import type { Suggestions } from '../../archive-index.ts';
import { isBeginning, wordsBeginning } from '../../figures.ts';
import { NEWEST } from './authors.ts';
import { quote } from './clause.ts';
import type { Statements } from './statements.ts';

const AUTHORS = 6;
const WORDS = 6;
/**
 * Above this number of handles, the query walks the authors by post count instead of sorting: it soon meets enough
 * matches.
 */
const SORTED_AUTHORS = 2_000;
/** The newest posts that words are taken from: the index keeps no words, and reading all posts would take too long. */
const READ_POSTS = 300;
/** Above every character of a handle or a word. */
const LAST = '\u{10ffff}';

/** Authors whose handle begins with the typed text; authors with the most posts first. */
export function suggestAuthors(file: Statements, typed: string): Suggestions['authors'] {
  const start = foldText(typed);
  const range = [start, start + LAST];
  const [counted] = file.all<{ authors: number }>(
    `SELECT count(*) AS authors FROM (SELECT 1 FROM author WHERE handle >= ? AND handle < ? LIMIT ${SORTED_AUTHORS + 1})`,
    ...range,
  );
  const isSorted = (counted?.authors ?? 0) <= SORTED_AUTHORS;
  return file.all(
    `SELECT handle, posts, ${NEWEST} AS newest FROM (
       SELECT * FROM author ${isSorted ? '' : 'INDEXED BY author_posts'} WHERE handle >= ? AND handle < ?
       ORDER BY posts DESC, handle ${isSorted ? '' : 'DESC'} LIMIT ${AUTHORS}
     ) AS author ORDER BY posts DESC, handle`,
    ...range,
  );
}

/** Words in the newest posts that begin with the typed text; words in the most posts first. */
export function suggestWords(file: Statements, typed: string): string[] {
  const start = foldText(typed);
  if (!isBeginning(start)) return [];
  const rows = file.all<{ content: string }>(
    `SELECT post.content FROM (
       SELECT search.rowid AS r FROM search WHERE search MATCH ? ORDER BY search.rowid DESC LIMIT ${READ_POSTS}
     ) CROSS JOIN post ON post.rank = r`,
    `(content : ${quote(start)})`,
  );
  return wordsBeginning(
    start,
    rows.map(({ content }) => content),
    WORDS,
  );
}
