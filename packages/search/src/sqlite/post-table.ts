import { CATEGORIES, foldText } from '@archive/contracts';
import type { IndexedPost } from '../indexed-post.ts';
import { packTraits, traitFields } from './traits.ts';

/**
 * Ends every field of the full text. No post holds this character, because control characters are stripped on input.
 */
export const END = '\u0002\u0002';

/** Between name and handle in `post.names`. */
export const SEPARATOR = '\u0001';

/** Sort value of a post without category: after all categories. */
const NO_CATEGORY = CATEGORIES.length;

/** The category as a trigram of the full text that no search text can contain. */
export function categoryToken(category: number): string {
  return `\u0001\u0001${category.toString(36)}`;
}

/** What the index keeps of a post: its columns of `post`, and its author's folded handle. */
export function deriveRow(post: IndexedPost) {
  const content = foldText(post.content);
  const contentKey = post.content.toLowerCase();
  const author = foldText(post.author);
  const handle = foldText(post.handle);
  const known = (CATEGORIES as readonly string[]).indexOf(post.category ?? '');
  const category = known === -1 ? NO_CATEGORY : known;
  return {
    columns: {
      at: post.at,
      category,
      traits: packTraits(post),
      saved_at: post.savedAt,
      reactions: post.reactions,
      thread: post.thread,
      author_key: post.author.toLowerCase(),
      names: author + SEPARATOR + handle,
      // Null where it equals `content`, which is most posts. Accents and typographic quotation marks make a difference.
      content_key: contentKey === content ? null : contentKey,
      content,
    },
    handle,
  };
}

/** The full-text fields of a row, in the order of the columns of `search`. */
export function searchFields(row: { content: string; names: string; category: number; traits: number }): string[] {
  const [author, handle] = row.names.split(SEPARATOR);
  return [row.content + END, author + END, handle + END, categoryToken(row.category), ...traitFields(row.traits)];
}

export type DerivedRow = ReturnType<typeof deriveRow>;
export type PostColumns = DerivedRow['columns'];

const COLUMNS = {
  rank: 'INTEGER PRIMARY KEY',
  oid: 'BLOB NOT NULL',
  at: 'INTEGER NOT NULL',
  category: 'INTEGER NOT NULL',
  traits: 'INTEGER NOT NULL',
  saved_at: 'INTEGER NOT NULL',
  reactions: 'INTEGER NOT NULL',
  thread: 'TEXT',
  author: 'INTEGER NOT NULL',
  author_key: 'TEXT NOT NULL',
  names: 'TEXT NOT NULL',
  content_key: 'TEXT',
  content: 'TEXT NOT NULL',
} as const satisfies Record<'rank' | 'oid' | 'author' | keyof PostColumns, string>;

export const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/** Columns that follow from the post alone. The writer assigns the others. */
export const DERIVED_COLUMNS = COLUMN_NAMES.filter((name) => name !== 'rank' && name !== 'oid' && name !== 'author');

export const POST_TABLE = `CREATE TABLE post (${COLUMN_NAMES.map((name) => `${name} ${COLUMNS[name]}`).join(', ')});`;

/** Contents are ordered by their first 1,000 code points. An index on the whole text would be a second copy of it. */
export function contentOrder(table: '' | 'post.' = ''): string {
  return `substr(coalesce(${table}content_key, ${table}content), 1, 1000)`;
}

const INDEXES = {
  post_time: 'at, oid, category, traits',
  post_author: 'author_key, oid, category, traits',
  post_content: `${contentOrder()}, oid, category, traits`,
  post_category: 'category, oid, traits',
  post_saved: 'saved_at, oid, category, traits',
  post_reactions: 'reactions, oid, category, traits',
  post_handle: 'author, at, oid',
  post_author_saved: 'author, saved_at',
};

export type PostIndex = keyof typeof INDEXES | 'post_thread';

export const POST_INDEXES = `
CREATE UNIQUE INDEX IF NOT EXISTS post_oid ON post (oid);
CREATE INDEX IF NOT EXISTS post_thread ON post (thread) WHERE thread IS NOT NULL;
${Object.entries(INDEXES)
  .map(([name, columns]) => `CREATE INDEX IF NOT EXISTS ${name} ON post (${columns});`)
  .join('\n')}`;
