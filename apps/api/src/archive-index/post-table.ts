import { CATEGORIES, foldText, languageOf, type MediaType, platformOf, showsLink } from '@archive/contracts';
import type { ObjectId, Timestamp } from 'mongodb';
import { type Flag, packTraits, traitFields } from './traits.ts';

/** One post as the index is told of it; plain, since it goes from thread to thread. */
export interface IndexedPost {
  /** The 12 bytes of its ObjectId. */
  oid: Uint8Array;
  /** Milliseconds since 1970; a removed post has no more than `oid`. */
  at: number;
  content: string;
  author: string;
  handle: string;
  category: string | null;
  /** Its media, platform, language and more (`traits.ts`). */
  traits: number;
  /** Of the author's own thread it stands in, whether more of that is kept or not. */
  thread: string | null;
  /** How many it has, of all kinds. */
  reactions: number;
  /** When it came into the archive, in milliseconds since 1970. */
  savedAt: number;
  /** Milliseconds since 1970, or null. */
  featuredAt: number | null;
  removed: boolean;
}

/** The fields of a kept post that the index is derived from. */
export interface IndexSource {
  _id: ObjectId;
  content: string;
  author: string;
  authorUsername: string;
  category: string | null;
  timestamp: Date;
  url: string;
  media?: readonly { type: MediaType }[];
  language?: string;
  metadata?: { language?: unknown };
  savedAt?: Date;
  createdAt: Date;
  featuredAt?: Date | null;
  links?: readonly unknown[];
  quoted?: object;
  launched?: boolean;
  source?: { state: string };
  threadRoot?: string;
  /** Counted when it is read: the post itself does not tell. */
  reactions?: number;
  changedAt?: Timestamp;
  /** Only of a removed post. */
  removedAt?: Date;
}

export const INDEX_PROJECTION = {
  content: 1,
  author: 1,
  authorUsername: 1,
  category: 1,
  timestamp: 1,
  url: 1,
  'media.type': 1,
  language: 1,
  'metadata.language': 1,
  savedAt: 1,
  createdAt: 1,
  featuredAt: 1,
  'links.start': 1,
  'quoted.platform': 1,
  launched: 1,
  'source.state': 1,
  threadRoot: 1,
  removedAt: 1,
  changedAt: 1,
} as const satisfies Record<
  | Exclude<keyof IndexSource, '_id' | 'media' | 'metadata' | 'links' | 'quoted' | 'source' | 'reactions'>
  | 'media.type'
  | 'metadata.language'
  | 'links.start'
  | 'quoted.platform'
  | 'source.state',
  1
>;

export function toIndexedPost(post: IndexSource): IndexedPost {
  if (post.removedAt) return toRemoval(post._id);
  return {
    oid: post._id.id,
    at: post.timestamp.getTime(),
    content: post.content,
    author: post.author,
    handle: post.authorUsername,
    category: post.category,
    traits: packTraits({
      media: (post.media ?? []).map(({ type }) => type),
      platform: platformOf(post.url),
      language: languageOf(post),
      flags: flagsOf(post),
    }),
    thread: post.threadRoot ?? null,
    reactions: post.reactions ?? 0,
    savedAt: (post.savedAt ?? post.createdAt).getTime(),
    featuredAt: post.featuredAt?.getTime() ?? null,
    removed: false,
  };
}

function flagsOf(post: IndexSource): Flag[] {
  const isSet: Record<Flag, boolean> = {
    link: showsLink(post),
    quote: post.quoted !== undefined,
    featured: Boolean(post.featuredAt),
    launched: post.launched === true,
    deleted: post.source?.state === 'deleted',
  };
  return (Object.keys(isSet) as Flag[]).filter((name) => isSet[name]);
}

export function toRemoval(id: ObjectId): IndexedPost {
  return {
    oid: id.id,
    at: 0,
    content: '',
    author: '',
    handle: '',
    category: null,
    traits: 0,
    thread: null,
    reactions: 0,
    savedAt: 0,
    featuredAt: null,
    removed: true,
  };
}

/** Closes every field of the full text. Posts hold no such character: control characters are stripped on the way in. */
export const END = '\u0002\u0002';

/** Between name and handle in `post.names`. */
export const SEPARATOR = '\u0001';

/** Rank of a post without category: after every category. */
const NO_CATEGORY = CATEGORIES.length;

/** The category in the full text: one trigram that no text can ask for. */
export function categoryToken(category: number): string {
  return `\u0001\u0001${category.toString(36)}`;
}

/** What the index keeps of a post: its columns of `post`, its author's handle, and what is put into the full text. */
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
      traits: post.traits,
      saved_at: post.savedAt,
      reactions: post.reactions,
      thread: post.thread,
      author_key: post.author.toLowerCase(),
      names: author + SEPARATOR + handle,
      // Mostly null: texts with accents and typographic quotation marks differ.
      content_key: contentKey === content ? null : contentKey,
      content,
    },
    handle,
  };
}

/** What is put into the full text of such a row. */
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

export type PostColumn = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as PostColumn[];

/** Those derived from a post alone; the others are given out as it comes in. */
export const DERIVED_COLUMNS = COLUMN_NAMES.filter((name) => name !== 'rank' && name !== 'oid' && name !== 'author');

export const POST_TABLE = `CREATE TABLE post (${COLUMN_NAMES.map((name) => `${name} ${COLUMNS[name]}`).join(', ')});`;

const INDEXES = {
  post_time: 'at, oid, category, traits',
  post_author: 'author_key, oid, category, traits',
  post_content: 'coalesce(content_key, content), oid, category, traits',
  post_category: 'category, oid, traits',
  post_saved: 'saved_at, oid, category, traits',
  post_reactions: 'reactions, oid, category, traits',
  post_category_time: 'category, at, oid, traits',
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
