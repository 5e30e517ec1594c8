import { randomUUID } from 'node:crypto';
import { API_BASE, BODY_BYTES, ENDPOINTS, type EndpointName } from '@archive/contracts';
import compression from 'compression';
import cors from 'cors';
import express, { type Express, type IRouter, type RequestHandler } from 'express';
import { scopesOf } from './accounts/agent-key-store.ts';
import { findSession } from './accounts/find-session.ts';
import type { Context } from './context.ts';
import { refuseCrowds } from './http/crowds.ts';
import { errorHandler, refusalOfAway } from './http/error-handler.ts';
import { isRead, loggedPath } from './http/logged-path.ts';
import { refuseBrackets } from './http/parse.ts';
import { sendProblem } from './http/problem.ts';
import { RateLimits } from './http/rate-limits.ts';
import { securityHeaders } from './http/security-headers.ts';
import { type Gates, mountRoutes } from './http/serve.ts';
import { serveFromCache } from './http/serve-cached.ts';
import { WebFiles } from './http/web-files.ts';
import { serveWebPage, type Views, WebPage } from './http/web-page.ts';
import { serveMcp } from './mcp/serve-mcp.ts';
import { bareView, findView } from './pages/find-view.ts';
import { ROUTES } from './routes.ts';

/**
 * The whole HTTP app: middleware, features, and the error handler last. `docsDir` contains the page of the API
 * description.
 */
export function createApp(context: Context, docsDir: string): Express {
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
  app.use(serveFromCache(context.posts.responses));

  const gates = gatesOf(context);
  const mount = (router: IRouter, names: readonly EndpointName[]) => mountRoutes(router, names, ROUTES, context, gates);
  // Monitors call these often, so they come before all other checks.
  mount(app, PROBES);
  app.use(refuseCrowds());
  const api = express.Router({ caseSensitive: true });
  api.use(compression(), refuseBrackets);
  // These bodies may be large and are read only after the key is checked.
  mount(api, OTHERS.filter(isForAgents));
  api.use(express.json({ limit: BODY_BYTES }));
  api.use(`${API_BASE}/admin`, passUnreadable);
  mount(
    api,
    OTHERS.filter((name) => !isForAgents(name)),
  );
  const web = config.webDir ? new WebFiles(config.webDir) : undefined;
  // The web app's pages come first. They need no index, and show by themselves that the archive is starting.
  if (web) {
    const page = new WebPage(web.page);
    web.routes(app, (route) => serveWebPage(route, { ...gates, page, views: viewsOf(context) }));
  }
  app.use('/docs', compression(), express.static(docsDir));
  app.use('/mcp', serveMcp(context, gates));
  app.use(api);

  app.use(
    web?.notFound ?? ((_request, response) => sendProblem(response, 'not_found', 'There is nothing at this address.')),
  );
  app.use(errorHandler(log, (address) => countRefusal(context, address)));
  return app;
}

/**
 * An undecodable address would be refused only where a route has a parameter, which would reveal the operators' routes.
 * So such addresses skip this router.
 */
const passUnreadable: RequestHandler = ({ path }, _response, next) => {
  try {
    decodeURIComponent(path);
    next();
  } catch {
    next('router');
  }
};

function viewsOf(context: Context): Views {
  return {
    find: (asked, asker) => findView(context, asked, asker),
    bare: (asked) => bareView(asked, context),
  };
}

const PROBES: readonly EndpointName[] = ['health', 'ready'];
const OTHERS = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => !PROBES.includes(name));
const isForAgents = (name: EndpointName) => ROUTES[name].access === 'agent key';

const EXPOSED_HEADERS = [
  'ETag',
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

function gatesOf(context: Context): Gates {
  const { accounts, audit, config, database, operators, posts } = context;
  return {
    limits: new RateLimits({ db: database.db, isOn: config.rateLimits }),
    responses: posts.responses,
    indexRefusal: () => {
      const { refusal } = posts.follower;
      // The follower has logged the cause.
      return refusal && refusalOfAway(refusal.reason);
    },
    findSession: (authorization) => findSession(context, authorization),
    roleOf: (wallet) => operators.roleOf(wallet),
    now: () => database.clock.now(),
    findAgent: async (text) => {
      const key = await accounts.agentKeys.verify(text);
      if (key) {
        const actor = { kind: 'key', id: key._id } as const;
        audit.count({ by: 'day', act: 'use key', actor, subject: actor });
      }
      return key && { id: key._id, scopes: scopesOf(key), postsPerMinute: key.postsPerMinute };
    },
  };
}

/** Counts invalid proofs of identity by a hash of the network. */
function countRefusal({ audit }: Context, network: string): void {
  const id = audit.hashOf(network);
  audit.count({ by: 'hour', act: 'refuse identity', actor: { kind: 'system' }, subject: { kind: 'network', id } });
}

/**
 * Gives each request an id and a start time. Logs changes through a route at level `info`; reads and requests without a
 * route only at `debug`, since any caller can send them. The error handler logs refusals.
 */
function identifyRequests({ log }: Context): RequestHandler {
  const logsAll = log.isLevelEnabled('debug');
  return (request, response, next) => {
    const requestId = randomUUID();
    response.setHeader('X-Request-Id', requestId);
    response.locals['startedAt'] = performance.now();
    if (logsAll || !isRead(request)) {
      response.on('finish', () => {
        const { actor, startedAt } = response.locals;
        const ms = Math.round(performance.now() - startedAt);
        const { method, route } = request;
        const level = route && !isRead(request) ? 'info' : 'debug';
        log[level]({ requestId, actor, method, path: loggedPath(request), status: response.statusCode, ms }, 'request');
      });
    }
    next();
  };
}
