import { ENDPOINTS, INGEST_BATCH } from '@archive/contracts';
import express, { type RequestHandler, type Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import { mount, parse } from '../http/serve.ts';
import { ingestPosts } from './ingest-posts.ts';

const batchSchema = z.object({
  posts: z
    .array(z.unknown(), 'must be a list')
    .min(1, 'must not be empty')
    .max(INGEST_BATCH, `must hold at most ${INGEST_BATCH} posts`),
});

const oneSchema = z.record(z.string(), z.unknown(), 'must be a post or { posts: [...] }');

export function ingestRoutes(router: Router, context: Context): void {
  mount(
    router,
    ENDPOINTS.ingestArchives,
    // The key first: a stranger's megabyte is not even read.
    requireAgentKey(context),
    requireJson,
    express.json({ limit: '1mb', type: 'application/json' }),
    async (request, response) => {
      const body: unknown = request.body;
      const isBatch = body !== null && typeof body === 'object' && 'posts' in body;
      const posts = isBatch ? parse(batchSchema, body, 'field').posts : [parse(oneSchema, body, 'field')];
      const report = await ingestPosts(
        { archives: context.archives, take: (created) => context.follower.take(created) },
        posts,
      );
      response.status(report.created > 0 ? 201 : 200).json(report);
    },
  );
}

function requireAgentKey(context: Pick<Context, 'agentKeys'>): RequestHandler {
  return async (request, _response, next) => {
    const token = /^Bearer ([^\s]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!token || !(await context.agentKeys.verify(token))) {
      throw new AppError('unauthorized', 'An agent key is needed to save posts.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    next();
  };
}

const requireJson: RequestHandler = (request, _response, next) => {
  if (!request.is('application/json')) {
    throw new AppError('unsupported_media_type', 'The body must be JSON (Content-Type: application/json).');
  }
  next();
};
