import {
  type ArchiveFilter,
  FEED_SIZE,
  type Post,
  PRODUCT_NAME,
  postTitle,
  printFilters,
  viewTitle,
} from '@archive/contracts';
import type { CollectionDocument } from '../collections/collection-store.ts';
import { postHtml } from '../markup/post-html.ts';
import { strictAddress } from '../markup/web-address.ts';

/** The content of a feed, independent of its format. */
export interface Feed {
  title: string;
  /** The page with the same content. */
  page: string;
  /** Its address without the format: `https://amber.example/feed.` and `?category=tech`. */
  address: { start: string; query: string };
  /** When the newest entry arrived or changed; null without entries. */
  updated: Date | null;
  entries: FeedEntry[];
}

export interface FeedEntry {
  /** Permanent: the address of the post's page here. */
  id: string;
  title: string;
  html: string;
  text: string;
  author: { name: string; page: string } | null;
  published: Date;
  updated: Date;
  category: string | null;
  language: string | null;
  original: string | null;
  picture: string | null;
}

interface Terms {
  origin: string;
  isHeldBack: (post: Post) => boolean;
}

/** A feed of the first posts of a list. */
export function describeFeed(filter: ArchiveFilter, posts: readonly Post[], terms: Terms): Feed {
  const { origin } = terms;
  const { handle, ...others } = filter;
  const path = handle === undefined ? '/' : `/author/${encodeURIComponent(handle)}`;
  const entries = posts.slice(0, FEED_SIZE).map((post) => describeEntry(post, terms));
  return {
    title: viewTitle(filter),
    page: `${origin}${path}${query(others)}`,
    address: { start: `${origin}/feed.`, query: query(filter) },
    updated: entries.reduce<Date | null>(
      (latest, { updated }) => (latest && latest > updated ? latest : updated),
      null,
    ),
    entries,
  };
}

/** A feed of a named list of posts. */
export function describeCollectionFeed(
  { _id, name, changedAt }: Pick<CollectionDocument, '_id' | 'name' | 'changedAt'>,
  posts: readonly Post[],
  terms: Terms,
): Feed {
  const { origin } = terms;
  const id = _id.toHexString();
  return {
    title: `${name}, ${PRODUCT_NAME}`,
    page: `${origin}/collection/${id}`,
    address: { start: `${origin}/feed.`, query: `?collection=${id}` },
    updated: changedAt,
    entries: posts.map((post) => describeEntry(post, terms)),
  };
}

/** The query of an address with its question mark, or an empty text. */
function query(filter: ArchiveFilter): string {
  const text = printFilters(filter);
  return text === '' ? '' : `?${text}`;
}

function describeEntry(post: Post, { origin, isHeldBack }: Terms): FeedEntry {
  const id = `${origin}/post/${post._id}`;
  const times = { published: new Date(post.timestamp), updated: lastChangeOf(post) };
  if (isHeldBack(post)) {
    const title = `A post of X, ${post.id}`;
    const html = `<p><a href="${id}">Read it here</a></p>`;
    const unsaid = { text: title, author: null, category: null, language: null, original: null, picture: null };
    return { id, title, html, ...times, ...unsaid };
  }
  const shown = post.sensitive ? undefined : post.media.find(({ preview }) => preview)?.preview;
  return {
    id,
    title: postTitle(post),
    html: postHtml(post, origin),
    text: post.content,
    author: {
      name: `${post.author} (@${post.authorUsername})`,
      page: `${origin}/author/${encodeURIComponent(post.authorUsername.toWellFormed())}`,
    },
    ...times,
    category: post.category,
    language: post.language,
    original: strictAddress(post.url),
    picture: shown ? `${origin}${shown}` : null,
  };
}

/** When the archive last changed the post's shown content. */
function lastChangeOf({ savedAt, versions }: Post): Date {
  return new Date([savedAt, ...versions.map(({ at }) => at)].toSorted().at(-1) as string);
}
