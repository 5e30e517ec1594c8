/**
 * The derived index: one SQLite file per API process. MongoDB holds the posts; this file only knows which of them match
 * a question, in which order, and how many. It may be deleted at any time and is then built anew.
 *
 * - `post.rank` is the time rank: milliseconds since 1970 shifted left by RANK_BITS, plus a number that tells posts of
 *   one millisecond apart. Newest first is therefore the tail of every posting list.
 * - `search` holds the trigrams of the folded text and no text. Every field ends in END, so that each of its one- and
 *   two-letter pieces begins a trigram; the category is a trigram of its own column, so that it joins a text question
 *   without a join of tables.
 * - `post` holds the folded text for questions too short for trigrams, and the keys to sort by.
 */
export const SCHEMA_VERSION = 1;

/** Low bits of a rank that tell posts of one millisecond apart: about a million. */
export const RANK_BITS = 20n;

/** Closes every indexed field. Posts hold no such character: control characters are stripped on the way in. */
export const END = '\u0002\u0002';

/** Between name and handle in `post.names`. */
export const SEPARATOR = '\u0001';

/** Rank of a post without category: after every category. */
export const NO_CATEGORY = 9;

export function categoryToken(category: number): string {
  return `\u0001\u0001${category}`;
}

export const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE author (id INTEGER PRIMARY KEY, handle TEXT NOT NULL UNIQUE, posts INTEGER NOT NULL, newest INTEGER NOT NULL);
CREATE TABLE day (day INTEGER PRIMARY KEY, posts INTEGER NOT NULL);
CREATE TABLE category (category INTEGER PRIMARY KEY, posts INTEGER NOT NULL);
CREATE TABLE featured (rank INTEGER PRIMARY KEY, at INTEGER NOT NULL);
CREATE TABLE post (
  rank INTEGER PRIMARY KEY,
  oid BLOB NOT NULL,
  at INTEGER NOT NULL,
  category INTEGER NOT NULL,
  author INTEGER NOT NULL,
  author_key TEXT NOT NULL,
  names TEXT NOT NULL,
  content_key TEXT,
  content TEXT NOT NULL
);
CREATE VIRTUAL TABLE search USING fts5 (
  content, author, handle, category,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE term USING fts5vocab (search, row);
`;

/**
 * Made after a rebuild's bulk load, which is faster than keeping them on the way. `content_key` is null where it equals
 * `content`, which is nearly always: only text that is not NFC differs.
 */
export const INDEXES = `
CREATE UNIQUE INDEX IF NOT EXISTS post_oid ON post (oid);
CREATE INDEX IF NOT EXISTS post_time ON post (at, oid, category);
CREATE INDEX IF NOT EXISTS post_author ON post (author_key, oid, category);
CREATE INDEX IF NOT EXISTS post_content ON post (coalesce(content_key, content), oid, category);
CREATE INDEX IF NOT EXISTS post_category ON post (category, oid);
CREATE INDEX IF NOT EXISTS post_category_time ON post (category, at, oid);
CREATE INDEX IF NOT EXISTS post_handle ON post (author, at, oid);
CREATE INDEX IF NOT EXISTS author_posts ON author (posts, handle);
CREATE INDEX IF NOT EXISTS featured_at ON featured (at);
`;
