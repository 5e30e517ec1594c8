import {
  type ArchiveFilter,
  DEFAULT_QUERY,
  ERROR_STATUS,
  FEED_SIZE,
  type FeedFormat,
  type Post,
  PRODUCT_NAME,
  type TokenLaunch,
} from '@archive/contracts';
import { FEED_TYPES } from '@archive/contracts/schemas';
import type { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import type { Collections } from '../collections/collections.ts';
import { findReadable, showCollection } from '../collections/show-collection.ts';
import type { Routes } from '../http/route.ts';
import { Written } from '../http/written.ts';
import type { ReactionCounter } from '../posts/answer-posts.ts';
import { given, isHeldBack } from '../posts/held-back.ts';
import { listArchives } from '../posts/list-archives.ts';
import type { Posts } from '../posts/posts.ts';
import type { Asker } from '../question-queue.ts';
import { describeCollectionFeed, describeFeed } from './describe-feed.ts';
import type { Feeds } from './feeds.ts';
import { writeFeed } from './write-feed.ts';

type Needs = Base & {
  posts: Posts;
  reactions: ReactionCounter;
  launches: { last: { readonly current: TokenLaunch | null } };
  feeds: Feeds;
  collections: Collections;
};

export const feedRoutes = {
  feedAtom: feedRoute('atom'),
  feedRss: feedRoute('rss'),
  feedJson: feedRoute('json'),
} satisfies Routes<'feedAtom' | 'feedRss' | 'feedJson', Needs>;

function feedRoute(format: FeedFormat) {
  return {
    access: 'anyone' as const,
    needsIndex: true as const,
    isCached: true as const,
    addressBudget: 'crawl' as const,
    refusal: (context: Needs, error: AppError) => tellWrong(context, format, error),
    run: (
      context: Needs,
      { query, asker }: { query: ArchiveFilter & { collection?: string | undefined }; asker: Asker },
    ) => {
      const { collection, ...filter } = query;
      if (collection !== undefined) return makeCollectionFeed(context, collection, format);
      return makeFeed(context, { filter, format, asker });
    },
  };
}

/** Posts of a filter, the last saved first, so that subscribers also see an old post that arrives later. */
async function makeFeed(
  context: Needs,
  { filter, format, asker }: { filter: ArchiveFilter; format: FeedFormat; asker: Asker },
): Promise<Written> {
  // Read before the posts, since a later change may be missing in them.
  const changed = context.feeds.lastChange.told;
  const order = { sortBy: 'saved', sortOrder: 'desc' } as const;
  const { data } = await listArchives(context, { ...DEFAULT_QUERY, ...filter, ...order, limit: FEED_SIZE }, asker);
  const posts = data.map((post) => given(post, context.config));
  const headers = { ...ELSEWHERE, ...(changed ? { 'Last-Modified': changed.toUTCString() } : {}) };
  return new Written(FEED_TYPES[format], writeFeed(format, describeFeed(filter, posts, termsOf(context))), { headers });
}

/** The last added posts of a public collection. Its content can change without a change of any post. */
async function makeCollectionFeed(context: Needs, collection: string, format: FeedFormat): Promise<Written> {
  const found = await findReadable(context, collection, null);
  const { data } = await showCollection(context, found, { page: 1, limit: FEED_SIZE, wallet: null });
  const posts = data.map((post) => given(post, context.config));
  const feed = describeCollectionFeed(found, posts, termsOf(context));
  return new Written(FEED_TYPES[format], writeFeed(format, feed), { headers: ELSEWHERE });
}

function termsOf({ config }: Needs) {
  return { origin: config.publicUrl.origin, isHeldBack: (post: Post) => isHeldBack(post, config) };
}

/** Pages of other sites may read feeds too, like other public answers with `CORS_ORIGINS`. */
const ELSEWHERE = { 'Access-Control-Allow-Origin': '*' };

/** An error in a filter as a feed without entries, since feed readers show the title. */
function tellWrong({ config }: Needs, format: FeedFormat, { code, message }: AppError): Written | null {
  if (code !== 'invalid_request' && code !== 'not_found') return null;
  const { origin } = config.publicUrl;
  const title = `${PRODUCT_NAME} has no such feed. ${message}`;
  const address = { start: `${origin}/feed.`, query: '' };
  const text = writeFeed(format, { title, page: `${origin}/`, address, updated: null, entries: [] });
  return new Written(FEED_TYPES[format], text, { status: ERROR_STATUS[code] });
}
