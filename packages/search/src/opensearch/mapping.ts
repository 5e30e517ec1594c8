import { createHash } from 'node:crypto';
import { CATEGORIES, foldText, monthOf, primaryLanguage, showsMedia } from '@archive/contracts';
import { DAY_MS } from '../figures.ts';
import type { IndexedPost } from '../indexed-post.ts';

/** Raised with every change of what a document holds: an index of another number is built again. */
export const SCHEMA_VERSION = 2;

/** Category of a post without one: after every category. */
export const NO_CATEGORY = CATEGORIES.length;

/** Code points of a text that it is ordered by. A keyword may have 32,766 bytes. */
const KEY_LENGTH = 1_000;

/** Bytes of a text key that are kept as a number as well, to find a far page by its histogram; a double holds 53 bits exactly. */
const HEAD_BYTES = 6;

const KEYWORD = { type: 'keyword' };
/** To sort by, and for ranges: these are told by what is sorted by, and a dictionary of whole texts takes long to make. */
const ORDERED = { type: 'keyword', index: false };
const LONG = { type: 'long' };
const INTEGER = { type: 'integer' };

/** A folded text by its trigrams with their places, and by its single letters and pairs. */
const TEXT = {
  type: 'text',
  analyzer: 'three',
  norms: false,
  fields: { short: { type: 'text', analyzer: 'short', norms: false, index_options: 'docs' } },
};

/** What an index of the cluster is created with. Of a document's source only what writing compares is kept; of its text grams, and the first 1,000 code points to sort by. */
export function indexBody({ epoch, shards }: { epoch: string; shards: number }) {
  return {
    settings: {
      number_of_shards: shards,
      // Copies are made once it is whole.
      number_of_replicas: 0,
      'index.replication.type': 'DOCUMENT',
      // Who writes makes it seen.
      'index.refresh_interval': '-1',
      'index.max_result_window': WINDOW,
      analysis: {
        tokenizer: {
          three: { type: 'ngram', min_gram: 3, max_gram: 3 },
          short: { type: 'ngram', min_gram: 1, max_gram: 2 },
        },
        analyzer: { three: { type: 'custom', tokenizer: 'three' }, short: { type: 'custom', tokenizer: 'short' } },
      },
    },
    mappings: {
      dynamic: 'strict',
      _meta: { epoch, schema: SCHEMA_VERSION },
      _source: { includes: [...KEPT] },
      properties: {
        kind: KEYWORD,
        oid: KEYWORD,
        made: LONG,
        at: LONG,
        day: INTEGER,
        month: INTEGER,
        saved_at: LONG,
        reactions: LONG,
        featured_at: LONG,
        category: INTEGER,
        media: KEYWORD,
        platform: KEYWORD,
        language: KEYWORD,
        flags: KEYWORD,
        thread: KEYWORD,
        in_thread: { type: 'boolean' },
        content: TEXT,
        author: TEXT,
        handle: TEXT,
        by: KEYWORD,
        author_key: ORDERED,
        author_head: LONG,
        content_key: ORDERED,
        content_head: LONG,
        hash: { type: 'keyword', index: false, doc_values: false },
        words: { type: 'keyword', index: false, doc_values: false },
        posts: LONG,
        since: LONG,
        position: LONG,
        beat: LONG,
        gone_since: LONG,
      },
    },
  };
}

/** Matches that one request may pass. */
export const WINDOW = 10_000;

/** Parts of a document's source. */
const KEPT = [
  'kind',
  'hash',
  'words',
  'by',
  'saved_at',
  'thread',
  'in_thread',
  'position',
  'beat',
  'gone_since',
  'posts',
  'since',
] as const;

/** What is kept of the source of a post. */
export interface HeldPost {
  kind: 'post' | 'gone';
  hash?: string;
  words?: string;
  by?: string;
  saved_at?: number;
  thread?: string;
  in_thread?: boolean;
}

export function hexOf(oid: Uint8Array): string {
  return Buffer.from(oid).toString('hex');
}

export function oidOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

/** The second in which an id of 12 bytes was made: ids are in the order of it. */
export function madeAt(oid: Uint8Array): number {
  return new DataView(oid.buffer, oid.byteOffset).getUint32(0);
}

/** A number in the order of the text's bytes, as far as its first bytes tell it. */
export function headOf(text: string): number {
  const bytes = Buffer.alloc(HEAD_BYTES);
  // One unit more, so that no pair is cut in the midst of what is kept.
  Buffer.from(text.slice(0, HEAD_BYTES + 1)).copy(bytes);
  return bytes.readUIntBE(0, HEAD_BYTES);
}

/** The document of a post, but for whether its thread has others. */
export function documentOf(post: IndexedPost) {
  const [content, author, handle] = [foldText(post.content), foldText(post.author), foldText(post.handle)];
  const known = (CATEGORIES as readonly string[]).indexOf(post.category ?? '');
  const day = Math.floor(post.at / DAY_MS);
  const authorKey = cut(post.author.toLowerCase());
  const contentKey = cut(post.content.toLowerCase());
  const language = post.language === null ? '' : primaryLanguage(post.language);
  const document = {
    kind: 'post' as const,
    oid: hexOf(post.oid),
    made: madeAt(post.oid),
    at: post.at,
    day,
    month: monthOf(day),
    saved_at: post.savedAt,
    reactions: post.reactions,
    featured_at: post.featuredAt ?? undefined,
    category: known === -1 ? NO_CATEGORY : known,
    media: (['image', 'video'] as const).filter((type) => showsMedia(post.media, type)),
    platform: post.platform,
    language: LANGUAGE.test(language) ? language : undefined,
    flags: post.flags,
    thread: post.thread ?? undefined,
    content,
    author,
    handle,
    by: handle,
    author_key: authorKey,
    author_head: headOf(authorKey),
    content_key: contentKey,
    content_head: headOf(contentKey),
  };
  return { ...document, hash: digest(document), words: digest([content, author, handle]) };
}

/** The languages that are told apart. */
export const LANGUAGE = /^[a-z]{2,3}$/;

/** Stands in the place of a removed post, so that no older change brings it back. */
export const GONE = { kind: 'gone' } as const;

function digest(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}

function cut(text: string): string {
  return text.length <= KEY_LENGTH ? text : Array.from(text).slice(0, KEY_LENGTH).join('');
}
