import { POST_INDEXES, POST_TABLE } from './post-table.ts';

/**
 * The derived index: one SQLite file per process. The source holds the posts. This file only tells which of them match
 * a question, in which order, and how many. It may be deleted at any time; the process then builds it again.
 *
 * - `post.rank` is a number in the order of time (`ranks.ts`). So the newest posts are at the tail of every posting
 *   list. Ranks are close together, so posting lists are small.
 * - `search` holds the trigrams of the folded text, and no text. Every field ends in END, so that each of its one- and
 *   two-letter pieces begins a trigram. The category is a trigram of its own column, so that a text question with a
 *   category needs no join of tables. The same holds for media, platform, language and more (`traits.ts`).
 * - `kind` counts posts by category and traits, `month` by calendar month too. So totals of any combination of these
 *   filters are sums. Counts per day would be nearly as many as posts.
 * - `piece` counts the posts that hold a text of one or two letters. A typed word begins with such texts.
 * - `post` holds the folded text for questions too short for trigrams, and the sort keys.
 */
export const SCHEMA_VERSION = 11;

export const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE author (
  id INTEGER PRIMARY KEY, handle TEXT NOT NULL UNIQUE, posts INTEGER NOT NULL, since INTEGER NOT NULL
);
CREATE TABLE day (day INTEGER PRIMARY KEY, posts INTEGER NOT NULL);
CREATE TABLE category (category INTEGER PRIMARY KEY, posts INTEGER NOT NULL);
CREATE TABLE kind (
  category INTEGER NOT NULL, traits INTEGER NOT NULL, posts INTEGER NOT NULL, PRIMARY KEY (category, traits)
) WITHOUT ROWID;
CREATE TABLE month (
  month INTEGER NOT NULL, category INTEGER NOT NULL, traits INTEGER NOT NULL, posts INTEGER NOT NULL,
  PRIMARY KEY (month, category, traits)
) WITHOUT ROWID;
CREATE TABLE piece (text TEXT PRIMARY KEY, posts INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE featured (rank INTEGER PRIMARY KEY, at INTEGER NOT NULL);
${POST_TABLE}
CREATE VIRTUAL TABLE search USING fts5 (
  content, author, handle, category, media, platform, language, flags,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE term USING fts5vocab (search, row);
`;

/** Made after the bulk load of a rebuild, which is faster than updating them during the load. */
export const INDEXES = `
${POST_INDEXES}
CREATE INDEX IF NOT EXISTS author_posts ON author (posts, handle);
CREATE INDEX IF NOT EXISTS author_since ON author (since, handle);
CREATE INDEX IF NOT EXISTS featured_at ON featured (at);
`;
