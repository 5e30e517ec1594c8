import { json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import { type IngestNeeds, ingestPosts } from './ingest-posts.ts';

export const ingestRoutes = {
  ingestArchives: {
    access: 'agent key',
    scope: 'ingest',
    run: async (context, { body, agent, onCounted }) => {
      await onCounted(body.length);
      const report = await ingestPosts(context, body, { savedBy: agent });
      return json(report.created > 0 ? 201 : 200, report);
    },
  },
} satisfies Routes<'ingestArchives', IngestNeeds>;
