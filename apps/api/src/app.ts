import { randomUUID } from 'node:crypto';
import { ENDPOINTS, PRODUCT_NAME, type PublicConfig } from '@archive/contracts';
import compression from 'compression';
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import { archiveRoutes } from './archives/routes.ts';
import type { Context } from './context.ts';
import { featureRoutes } from './featuring/routes.ts';
import { AppError } from './http/app-error.ts';
import { errorHandler } from './http/error-handler.ts';
import { sendProblem } from './http/problem.ts';
import { securityHeaders } from './http/security-headers.ts';
import { mount, refuseBrackets, serveFromCache } from './http/serve.ts';
import { WebFiles } from './http/web-files.ts';
import { ingestRoutes } from './ingest/routes.ts';
import { launchRoutes } from './launches/routes.ts';
import { reactionRoutes } from './reactions/routes.ts';
import { userRoutes } from './users/routes.ts';

/** The whole HTTP side over a context: middleware, features, error handler last. */
export function createApp(context: Context): Express {
  const { config, log } = context;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('trust proxy', config.trustedProxies);

  app.use(identifyRequests(context));
  app.use(securityHeaders(config));
  app.use(cors({ origin: config.corsOrigins, credentials: false, maxAge: 600, exposedHeaders: EXPOSED_HEADERS }));
  app.use(serveFromCache(context.responses));

  app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/ready', readiness(context));

  const api = express.Router({ caseSensitive: true });
  api.use(compression(), refuseBrackets);
  mount(api, ENDPOINTS.config, (_request, response) => void response.json(publicConfig(context)));
  ingestRoutes(api, context);
  api.use(express.json({ limit: '100kb' }));
  userRoutes(api, context);
  archiveRoutes(api, context, untilReady(context));
  reactionRoutes(api, context);
  featureRoutes(api, context);
  launchRoutes(api, context);
  const web = config.webDir ? new WebFiles(config.webDir, config.publicUrl) : undefined;
  // The web's pages first: they need no index, and show for themselves that the archive is starting.
  web?.routes(app);
  app.use(api);

  app.use(
    web?.notFound ?? ((_request, response) => sendProblem(response, 'not_found', 'There is nothing at this address.')),
  );
  app.use(errorHandler(log));
  return app;
}

const EXPOSED_HEADERS = [
  'ETag',
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

function publicConfig({ config, desk, launchDesk }: Context): PublicConfig {
  return {
    name: PRODUCT_NAME,
    network: desk.network,
    rpcUrl: config.publicSolanaRpcUrl,
    agentHandle: config.agentHandle,
    tokenTicker: config.tokenTicker,
    launchInfoId: config.launchInfoId,
    launchPlatform: launchDesk.offer?.platform.name ?? null,
    avatarHosts: config.avatarHosts,
    domain: config.publicUrl.host,
  };
}

/** Gives each request an id; changes are logged here, plain reads only when debugging, failures where they are answered. */
function identifyRequests({ log }: Context): RequestHandler {
  const logsReads = log.isLevelEnabled('debug');
  return (request, response, next) => {
    const requestId = randomUUID();
    response.setHeader('X-Request-Id', requestId);
    if (logsReads || request.method !== 'GET') {
      const startedAt = performance.now();
      response.on('finish', () => {
        const ms = Math.round(performance.now() - startedAt);
        log.info({ requestId, method: request.method, path: request.path, status: response.statusCode, ms }, 'request');
      });
    }
    next();
  };
}

/** Whether this process can serve: the index is whole and the database answers. */
function readiness({ follower, database }: Context): RequestHandler {
  return async (_request, response) => {
    const { phase, done, total } = follower.progress;
    const isDatabaseUp = await database.db
      .command({ ping: 1 }, { timeoutMS: 1_000 })
      .then(() => true)
      .catch(() => false);
    const isReady = phase === 'ready' && isDatabaseUp;
    response.status(isReady ? 200 : 503).json({
      status: isReady ? 'ready' : isDatabaseUp ? phase : 'database unavailable',
      done,
      total,
    });
  };
}

function untilReady({ follower }: Context): RequestHandler {
  return (_request, _response, next) => {
    if (follower.progress.phase === 'ready') return next();
    throw new AppError('starting', 'The archive is starting. Please try again in a moment.', {
      headers: { 'Retry-After': '5' },
    });
  };
}
