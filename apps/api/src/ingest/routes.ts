import { json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import type { Posts } from '../posts/posts.ts';
import { ingestPosts } from './ingest-posts.ts';

export const ingestRoutes = {
  ingestArchives: {
    access: 'agent key',
    run: async (context, { body }) => {
      const report = await ingestPosts(context, body);
      return json(report.created > 0 ? 201 : 200, report);
    },
  },
} satisfies Routes<'ingestArchives', { posts: Posts }>;
