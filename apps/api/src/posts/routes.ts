import { PRODUCT_SLUG, type TokenLaunch } from '@archive/contracts';
import { EXPORT_TYPES } from '@archive/contracts/schemas';
import type { Base } from '../base.ts';
import { download } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import type { ReactionCounter } from './answer-posts.ts';
import { exportArchives } from './export-archives.ts';
import { getAnalytics } from './get-analytics.ts';
import { getThread } from './get-thread.ts';
import { listArchives } from './list-archives.ts';
import { findPost } from './live-post.ts';
import type { Posts } from './posts.ts';

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
    run: (context, { query: { format, sortBy, sortOrder, ...filter }, asker }) => {
      const name = `${PRODUCT_SLUG}-${new Date(context.now()).toISOString().slice(0, 10)}.${format}`;
      const reply = download({ name, type: EXPORT_TYPES[format] }, () =>
        exportArchives(context, { filter, sort: { sortBy, sortOrder }, format }),
      );
      return (request, response) => context.posts.exports.run(asker.who, async () => reply(request, response));
    },
  },
  getArchive: { access: 'anyone', run: (context, { params }) => findPost(context, params.id) },
  getThread: { access: 'anyone', run: (context, { params }) => getThread(context, params.id) },
  analytics: {
    access: 'anyone',
    needsIndex: true,
    isCached: true,
    run: (context, { asker }) => getAnalytics(context, asker),
  },
} satisfies Routes<'listArchives' | 'exportArchives' | 'getArchive' | 'getThread' | 'analytics', Needs>;
