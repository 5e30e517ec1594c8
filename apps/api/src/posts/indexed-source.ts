import { languageOf, type MediaType, platformOf, showsLink } from '@archive/contracts';
import { FLAGS, type Flag, type IndexedPost, toRemoval } from '@archive/search';
import type { ObjectId, Timestamp } from 'mongodb';

const ORDER_SINCE = Date.UTC(2020, 0, 1) / 1_000;
const ORDER_PLACES = 2 ** 24;

/** The fields of a kept post that its index entry is derived from. */
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
  /** Counted when the post is read; the post document does not hold it. */
  reactions?: number;
  changedAt?: Timestamp;
  /** Only on removed posts. */
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
  const changed = post.changedAt ? orderOf(post.changedAt) : null;
  if (post.removedAt) return toRemoval(post._id.id, changed);
  return {
    oid: post._id.id,
    at: post.timestamp.getTime(),
    content: post.content,
    author: post.author,
    handle: post.authorUsername,
    category: post.category,
    media: (post.media ?? []).map(({ type }) => type),
    platform: platformOf(post.url),
    language: languageOf(post),
    flags: flagsOf(post),
    thread: post.threadRoot ?? null,
    reactions: post.reactions ?? 0,
    savedAt: (post.savedAt ?? post.createdAt).getTime(),
    featuredAt: post.featuredAt?.getTime() ?? null,
    removed: false,
    changed,
  };
}

/**
 * Turns a stamp into one number that keeps the order and stays below 2^53 until 2037. It combines the seconds since
 * 2020 and the increment within the second.
 */
function orderOf(stamp: Timestamp): number {
  const seconds = Math.max(0, stamp.getHighBitsUnsigned() - ORDER_SINCE);
  return seconds * ORDER_PLACES + Math.min(ORDER_PLACES - 1, stamp.getLowBitsUnsigned());
}

function flagsOf(post: IndexSource): Flag[] {
  const isSet: Record<Flag, boolean> = {
    link: showsLink(post),
    quote: post.quoted !== undefined,
    featured: Boolean(post.featuredAt),
    launched: post.launched === true,
    deleted: post.source?.state === 'deleted',
  };
  return FLAGS.filter((name) => isSet[name]);
}
