import { ENDPOINTS, NO_REACTIONS, type PostReactions } from '@archive/contracts';
import type { Router } from 'express';
import { findPost } from '../archives/get-archive.ts';
import type { Context } from '../context.ts';
import { mount } from '../http/serve.ts';

export function reactionRoutes(router: Router, context: Pick<Context, 'archives'>): void {
  mount(router, ENDPOINTS.getReactions, async (request, response) => {
    await findPost(context.archives, String(request.params['id']));
    response.json({ ...NO_REACTIONS, userReactions: [] } satisfies PostReactions);
  });
}
