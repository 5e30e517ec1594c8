import { createHash } from 'node:crypto';
import { CATEGORIES, foldText, monthOf, primaryLanguage, showsMedia } from '@archive/contracts';
import { DAY_MS } from '../figures.ts';
import type { IndexedPost } from '../indexed-post.ts';

/** Raised with every change of a document's content. An index with another number is built again. */
export const SCHEMA_VERSION = 4;

/** Category number of a post without category: after all categories. */
export const NO_CATEGORY = CATEGORIES.length;

/** Code points of a text sort key. A keyword may have 32,766 bytes. */
const KEY_LENGTH = 1_000;

/**
 * Leading bytes of a text key that are also stored as a number, so that histograms find a far page. A double holds 53
 * bits exactly.
 */
const HEAD_BYTES = 6;

/** How many segments of a size gather before they are merged. A build gathers more, since its end merges all. */
export const MERGE_LATE = 'index.merge.policy.segments_per_tier';

/**
 * Files that the engine reads by system calls: its default without the positions (`pos`). Where a cluster forbids mapped
 * memory, it reads all files so.
 */
const READ_BY_CALLS = 'segments_N write.lock si cfe fnm fdx fdt pay nvm dvm tvx tvd liv dii vem'.split(' ');

/**
 * Follows each indexed text, so that its last two characters also begin trigrams. A text of one or two characters is
 * asked as the beginning of trigrams. No text that is asked holds U+0003.
 */
const END = '\u0003\u0003';

/** The analyzer of phrases: trigrams as they are sent, not a text. */
export const PHRASE = 'phrase';
/**
 * A phrase is sent as its trigrams with a separator between them. A gap stands for each trigram that is left out, so that
 * the others keep their positions. No text that is asked holds these characters.
 */
const [SEPARATOR, GAP] = ['\u0001', '\u0002'];

/** The phrase of a text of 3 code points or more: the first trigram, and every third from the last. They cover the text. */
export function phraseOf(points: readonly string[]): string {
  const last = points.length - 3;
  const trigramAt = (at: number) => (at === 0 || (last - at) % 3 === 0 ? points.slice(at, at + 3).join('') : GAP);
  return Array.from({ length: last + 1 }, (_, at) => trigramAt(at)).join(SEPARATOR);
}

/**
 * Settings and mappings of a new index. The stored source of a document holds only what writes compare. A text is held
 * as grams, and its first 1,000 code points as a sort key.
 */
export function indexBody({ epoch, shards }: { epoch: string; shards: number }) {
  return {
    settings: {
      number_of_shards: shards,
      // Replicas are made once the index is complete.
      number_of_replicas: 0,
      'index.replication.type': 'DOCUMENT',
      // By default the engine reads the positions of trigrams by system calls, not from mapped memory.
      'index.store.hybrid.nio.extensions': READ_BY_CALLS,
      // The writer refreshes the index itself after each write.
      'index.refresh_interval': '-1',
      [MERGE_LATE]: 40,
      // By default the engine gives up after 5 failures. The shard then lacks its copy until an administrator asks again.
      'index.allocation.max_retries': 100,
      'index.max_result_window': WINDOW,
      analysis: {
        tokenizer: {
          three: { type: 'ngram', min_gram: 3, max_gram: 3 },
          [PHRASE]: { type: 'char_group', tokenize_on_chars: [SEPARATOR] },
        },
        filter: { gaps: { type: 'stop', stopwords: [GAP] } },
        analyzer: {
          three: { type: 'custom', tokenizer: 'three' },
          [PHRASE]: { type: 'custom', tokenizer: PHRASE, filter: ['gaps'] },
        },
      },
    },
    mappings: {
      dynamic: 'strict',
      _meta: { epoch, schema: SCHEMA_VERSION },
      _source: { includes: KEPT },
      properties: {
        // Folded texts, held as trigrams with positions.
        ...fields('content names handle', { type: 'text', analyzer: 'three', norms: false }),
        ...fields('kind media platform language flags thread by', { type: 'keyword' }),
        // For sorting and ranges. Doc values serve both, and a dictionary of many different values takes long to build.
        ...fields('oid author_key content_key', { type: 'keyword', index: false }),
        ...fields('made at saved_at reactions featured_at author_head content_head', { type: 'long' }),
        ...fields('posts since position beat gone_since', { type: 'long' }),
        ...fields('day category', { type: 'integer' }),
        month: { type: 'integer', index: false },
        in_thread: { type: 'boolean' },
        // Only in the stored source.
        ...fields('hash words', { type: 'keyword', index: false, doc_values: false }),
      },
    },
  };
}

/** Gives each of the named fields the same mapping. */
function fields(names: string, mapping: object): Record<string, object> {
  return Object.fromEntries(names.split(' ').map((name) => [name, mapping]));
}

/** Most matches that one request may pass. */
export const WINDOW = 10_000;

/**
 * Kinds of documents that are not posts: counts of an author; tombstones; the position and the note of removed words;
 * the mark of a complete index.
 */
export const OTHER_KINDS = ['author', 'gone', 'state', 'whole'] as const;

export type Kind = 'post' | (typeof OTHER_KINDS)[number];

/** Fields of the stored source. */
const KEPT = 'kind hash words by saved_at thread in_thread position beat gone_since posts since'.split(' ');

/** The stored source of a post. */
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

/** Creation time of an id of 12 bytes, in seconds since 1970. Ids sort by it. */
export function madeAt(oid: Uint8Array): number {
  return new DataView(oid.buffer, oid.byteOffset).getUint32(0);
}

/** The first 6 bytes of a text as a number, which sorts like these bytes. */
export function headOf(text: string): number {
  const bytes = Buffer.alloc(HEAD_BYTES);
  // One UTF-16 unit more, so that no surrogate pair within these bytes is cut.
  Buffer.from(text.slice(0, HEAD_BYTES + 1)).copy(bytes);
  return bytes.readUIntBE(0, HEAD_BYTES);
}

/** The document of a post, without `in_thread`. */
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
    content: content + END,
    // One field for both, which is faster than two. Its values lie 100 positions apart, so no phrase crosses them.
    names: [author + END, handle + END],
    handle: handle + END,
    by: handle,
    author_key: authorKey,
    author_head: headOf(authorKey),
    content_key: contentKey,
    content_head: headOf(contentKey),
  };
  // Not a copy: copies of so many members took a fifth of the server's time in a build.
  return Object.assign(document, { hash: digest(document), words: digest([content, author, handle]) });
}

/** Language codes that the index distinguishes. */
export const LANGUAGE = /^[a-z]{2,3}$/;

/** Tombstone of a removed post, so that no older change restores the post. */
export const GONE = { kind: 'gone' } as const;

function digest(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}

function cut(text: string): string {
  return text.length <= KEY_LENGTH ? text : Array.from(text).slice(0, KEY_LENGTH).join('');
}
