import { PRODUCT_SLUG, type TokenLaunch } from '@archive/contracts';
import { EXPORT_TYPES } from '@archive/contracts/schemas';
import type { Base } from '../base.ts';
import { download } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import { JSON_TYPE, Written } from '../http/written.ts';
import type { ReactionCounter } from './answer-posts.ts';
import { exploreArchive } from './explore-archive.ts';
import { exportArchives } from './export-archives.ts';
import { exportChanges } from './export-changes.ts';
import { getAnalytics } from './get-analytics.ts';
import { getAuthor } from './get-author.ts';
import { getNeighbours } from './get-neighbours.ts';
import { getRandom } from './get-random.ts';
import { getThread } from './get-thread.ts';
import { getTimeline } from './get-timeline.ts';
import { listArchives } from './list-archives.ts';
import { findPost } from './live-post.ts';
import type { Posts } from './posts.ts';
import { setCategory } from './set-category.ts';
import { suggest } from './suggest.ts';

type Needs = Base & {
  posts: Posts;
  reactions: ReactionCounter;
  launches: { last: { readonly current: TokenLaunch | null } };
};

export const postRoutes = {
  listArchives: {
    access: 'anyone',
    needsIndex: true,
    isCached: true,
    run: (context, { query, asker }) => listArchives(context, query, asker),
  },
  exportArchives: {
    access: 'anyone',
    needsIndex: true,
    run: async (context, { query: { format, sortBy, sortOrder, since, ...filter }, asker }) => {
      const changes = since === undefined ? null : await exportChanges(context, since);
      const name = `${PRODUCT_SLUG}-${new Date(context.now()).toISOString().slice(0, 10)}.${format}`;
      return download(
        { name, type: EXPORT_TYPES[format] },
        () => changes ?? exportArchives(context, { filter, sort: { sortBy, sortOrder }, format }),
        { slot: context.posts.exports.of(changes ? 'mirror' : 'list', asker) },
      );
    },
  },
  getArchive: { access: 'anyone', run: (context, { params }) => findPost(context, params.id) },
  getThread: {
    access: 'anyone',
    addressBudget: 'read',
    run: (context, { params }) => getThread(context, params.id),
  },
  getNeighbours: {
    access: 'anyone',
    needsIndex: true,
    isCached: true,
    run: (context, { params, asker }) => getNeighbours(context, params.id, asker),
  },
  analytics: {
    access: 'anyone',
    needsIndex: true,
    isCached: true,
    run: (context, { asker }) => getAnalytics(context, asker),
  },
  explore: {
    access: 'anyone',
    needsIndex: true,
    isCached: true,
    run: (context, { asker }) => exploreArchive(context, asker),
  },
  random: {
    access: 'anyone',
    needsIndex: true,
    // Not cached, since each answer is a new random post.
    run: async (context, { asker }) =>
      new Written(JSON_TYPE, JSON.stringify(await getRandom(context, asker)), {
        headers: { 'Cache-Control': 'no-store' },
      }),
  },
  timeline: {
    access: 'anyone',
    needsIndex: true,
    isCached: true,
    run: (context, { query, asker }) => getTimeline(context, query, asker),
  },
  getAuthor: {
    access: 'anyone',
    needsIndex: true,
    isCached: true,
    run: (context, { params, asker }) => getAuthor(context, params.handle, asker),
  },
  suggest: {
    access: 'anyone',
    needsIndex: true,
    isCached: true,
    run: (context, { query, asker }) => suggest(context, query, asker),
  },
  setCategory: {
    access: 'operator',
    role: 'moderator',
    run: async (context, { params, body: { category, reason }, actor, requestId }) => {
      await setCategory(context, params.id, category, { actor, requestId, reason });
    },
  },
} satisfies Routes<
  | 'setCategory'
  | 'suggest'
  | 'listArchives'
  | 'exportArchives'
  | 'getArchive'
  | 'getThread'
  | 'getNeighbours'
  | 'analytics'
  | 'explore'
  | 'random'
  | 'timeline'
  | 'getAuthor',
  Needs
>;
