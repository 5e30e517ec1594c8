import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ENDPOINTS, PRODUCT_SLUG } from '@archive/contracts';
import { archiveQuerySchema, exportQuerySchema } from '@archive/contracts/schemas';
import type { RequestHandler, Router } from 'express';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import { mount, parseQuery, serveCached } from '../http/serve.ts';
import { EXPORT_TYPES, exportArchives } from './export-archives.ts';
import { getAnalytics } from './get-analytics.ts';
import { getArchive, getLaunchInfo } from './get-archive.ts';
import { listArchives } from './list-archives.ts';

/** One export takes most of a core; more than a few at once would starve everybody. */
const EXPORTS_AT_ONCE = 3;

/** A reader that takes nothing for so long is sent away: it holds a place and a state of the index. */
const STALLED_MS = 30_000;

/** `untilReady` stands before what needs the index. */
export function archiveRoutes(router: Router, context: Context, untilReady: RequestHandler): void {
  let exporting = 0;

  mount(
    router,
    ENDPOINTS.listArchives,
    untilReady,
    serveCached(context.responses, (request) => {
      const query = parseQuery(archiveQuerySchema, request);
      return () => listArchives(context, query);
    }),
  );

  mount(router, ENDPOINTS.exportArchives, untilReady, async (request, response) => {
    const { format, sortBy, sortOrder, ...filter } = parseQuery(exportQuerySchema, request);
    if (exporting >= EXPORTS_AT_ONCE) {
      throw new AppError('rate_limited', 'Too many exports are under way. Please try again in a moment.', {
        headers: { 'Retry-After': '10' },
      });
    }
    exporting++;
    try {
      const day = new Date(context.now()).toISOString().slice(0, 10);
      response.setHeader('Content-Type', EXPORT_TYPES[format]);
      response.setHeader('Content-Disposition', `attachment; filename="${PRODUCT_SLUG}-${day}.${format}"`);
      response.setHeader('Cache-Control', 'no-store, no-transform');
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      response.setTimeout(STALLED_MS, () => response.destroy());
      const text = exportArchives(context, { filter, sort: { sortBy, sortOrder }, format });
      await pipeline(Readable.from(text), response).catch((error: NodeJS.ErrnoException) => {
        // A reader that leaves is no failure of ours.
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      });
    } finally {
      exporting--;
    }
  });

  mount(router, ENDPOINTS.getArchive, async (request, response) => {
    response.json(await getArchive(context, String(request.params['id'])));
  });

  mount(
    router,
    ENDPOINTS.analytics,
    untilReady,
    serveCached(context.responses, () => () => getAnalytics(context)),
  );

  mount(router, ENDPOINTS.launchInfo, async (request, response) => {
    response.json(await getLaunchInfo(context, String(request.params['id'])));
  });
}
