import { POST_INDEXES, POST_TABLE } from './post-table.ts';

/**
 * The derived index: one SQLite file per process. The source holds the posts; this file only knows which of them match
 * a question, in which order, and how many. It may be deleted at any time and is then built again.
 *
 * - `post.rank` is the time rank: a number in the order of time (`ranks.ts`). Newest first is therefore the tail of every
 *   posting list, and since ranks stand close together, a list of them takes little room.
 * - `search` holds the trigrams of the folded text and no text. Every field ends in END, so that each of its one- and
 *   two-letter pieces begins a trigram; the category is a trigram of its own column, so that it joins a text question
 *   without a join of tables, and so do media, platform, language and more (`traits.ts`).
 * - `kind` counts posts by category and traits, `month` those of each calendar month: so totals of these filters, whichever
 *   are asked at once, are sums. By single days there would be nearly as many counts as posts.
 * - `piece` counts in how many posts a text of one or two letters stands: a typed word asks for these first.
 * - `post` holds the folded text for questions too short for trigrams, and the keys to sort by.
 */
export const SCHEMA_VERSION = 10;

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

/** Made after a rebuild's bulk load, which is faster than keeping them on the way. */
export const INDEXES = `
${POST_INDEXES}
CREATE INDEX IF NOT EXISTS author_posts ON author (posts, handle);
CREATE INDEX IF NOT EXISTS author_since ON author (since, handle);
CREATE INDEX IF NOT EXISTS featured_at ON featured (at);
`;
