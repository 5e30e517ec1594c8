import { setTimeout as delay } from 'node:timers/promises';
import { ENDPOINTS, type EndpointName, PRODUCT_NAME, type PublicConfig } from '@archive/contracts';
import { accountRoutes } from './accounts/routes.ts';
import { awayAgents, toAwayAgent } from './agent/agent-store.ts';
import { AppError } from './app-error.ts';
import { servedNetwork } from './base.ts';
import { collectionRoutes } from './collections/routes.ts';
import type { Context } from './context.ts';
import { featureRoutes } from './featuring/routes.ts';
import { feedRoutes } from './feeds/routes.ts';
import { describeApi } from './http/openapi.ts';
import { bytes, json } from './http/replies.ts';
import type { Routes } from './http/route.ts';
import { ingestRoutes } from './ingest/routes.ts';
import { launchRoutes } from './launches/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { noticeRoutes } from './notices/routes.ts';
import { operatorRoutes } from './operators/routes.ts';
import { pageRoutes } from './pages/routes.ts';
import { personRoutes } from './people/routes.ts';
import { postRoutes } from './posts/routes.ts';
import { reactionRoutes } from './reactions/routes.ts';
import { removalRoutes } from './removals/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { saveRoutes } from './saves/routes.ts';
import { searchRoutes } from './searches/routes.ts';
import { withTimeout } from './with-timeout.ts';

/** Milliseconds that the page's settings wait for the database. */
const SWITCH_MS = 250;
/** Milliseconds for which one look at the database serves all calls of `/ready`. */
const LOOK_KEPT_MS = 1_000;

/** Every route of the API: exactly one for each endpoint of the contract. */
export const ROUTES: Routes<EndpointName, Context> = {
  health: { access: 'anyone', run: () => ({ status: 'ok' }) },
  ready: { access: 'anyone', run: readiness },
  openApi: { access: 'anyone', run: ({ config }) => bytes('application/json', description(config.publicUrl.origin)) },
  securityTxt: { access: 'anyone', run: securityTxt },
  config: { access: 'anyone', run: publicConfig },
  ...accountRoutes,
  ...postRoutes,
  ...ingestRoutes,
  ...saveRoutes,
  ...liveRoutes,
  ...reactionRoutes,
  ...searchRoutes,
  ...collectionRoutes,
  ...personRoutes,
  ...noticeRoutes,
  ...featureRoutes,
  ...launchRoutes,
  ...mediaRoutes,
  ...operatorRoutes,
  ...removalRoutes,
  ...reportRoutes,
  ...feedRoutes,
  ...pageRoutes,
};

/** Built once for each address, since it takes a while. */
const descriptions = new Map<string, string>();

function description(origin: string): string {
  const text = descriptions.get(origin) ?? JSON.stringify(describeApi(ROUTES, origin));
  descriptions.set(origin, text);
  return text;
}

/**
 * Whether this process can serve: its index is complete and the database answers. An agent that is away is reported,
 * but makes no process worse than another.
 */
async function readiness(context: Context) {
  const { background, posts } = context;
  const { isDatabaseUp, agentsAway } = await lookOnce(context);
  const { progress, behindMs, waiting, noRoom, trouble } = posts.follower;
  const { phase, done, total } = progress;
  // Without the search cluster, no other process could serve better.
  const { isOutdated } = posts.index;
  const isIndexed = !isOutdated && (phase === 'ready' || posts.follower.isAway);
  const isReady = isIndexed && isDatabaseUp && !background.isEnding;
  const told = isIndexed ? 'ready' : isOutdated ? 'outdated' : phase;
  const status = background.isEnding ? 'stopping' : isDatabaseUp ? told : 'database unavailable';
  const behind = Math.round(behindMs / 100) / 10;
  return json(isReady ? 200 : 503, { status, done, total, behind, waiting, noRoom, search: trouble, agentsAway });
}

type Look = ReturnType<typeof lookAtDatabase>;

const looks = new WeakMap<Context, { look: Look; until: number }>();

/** Limits the queries to one a second, however many calls come. */
function lookOnce(context: Context): Look {
  const last = looks.get(context);
  if (last && performance.now() < last.until) return last.look;
  const look = lookAtDatabase(context);
  const kept = { look, until: Number.POSITIVE_INFINITY };
  looks.set(context, kept);
  void look.finally(() => {
    kept.until = performance.now() + LOOK_KEPT_MS;
  });
  return look;
}

async function lookAtDatabase({ database, config }: Context) {
  const isDatabaseUp = await database.db
    .command({ ping: 1 }, { timeoutMS: 1_000 })
    .then(() => true)
    .catch(() => false);
  const agents = isDatabaseUp ? awayAgents({ config, database }) : Promise.resolve([]);
  const away = await withTimeout(agents, 1_000, () => new Error('not told in time')).catch(() => []);
  return { isDatabaseUp, agentsAway: away.map(toAwayAgent) };
}

/** Days until the contact expires; the operator keeps it current. */
const CONTACT_DAYS = 90;

/** The security.txt of RFC 9116. */
function securityTxt({ config, database }: Context) {
  if (!config.securityContact) throw new AppError('not_found', 'There is nothing at this address.');
  const expires = new Date(database.clock.now().getTime() + CONTACT_DAYS * 86_400_000);
  const lines = [
    `Contact: ${config.securityContact}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${new URL(ENDPOINTS.securityTxt.path, config.publicUrl).href}`,
  ];
  return bytes('text/plain; charset=utf-8', `${lines.join('\n')}\n`);
}

async function publicConfig(context: Context): Promise<PublicConfig> {
  const { config, launches, operators } = context;
  const platform = launches.offer.current?.platform.name ?? null;
  // If the database does not answer at once, the page still gets its settings.
  const isStopped = operators.switches.isStopped('launching').catch(() => false);
  const isPaused = platform !== null && (await Promise.race([isStopped, delay(SWITCH_MS, false)]));
  return {
    name: PRODUCT_NAME,
    network: servedNetwork(context),
    rpcUrl: config.publicSolanaRpcUrl,
    agentHandle: config.agentHandle,
    agents: agentsOf(config),
    readable: [...context.sources.byPlatform.keys()],
    tokenTicker: config.tokenTicker,
    launchInfoId: config.launchInfoId,
    launchPlatform: isPaused ? null : platform,
    avatarHosts: config.avatarHosts,
    pushKey: config.push?.publicKey ?? null,
    domain: config.publicUrl.host,
  };
}

/** The accounts of configured agents. */
function agentsOf({ sources, agentHandle }: Context['config']): PublicConfig['agents'] {
  const { bluesky, x } = sources;
  return [
    ...(x.credentials && x.isAgentAllowed ? [{ platform: 'x' as const, handle: agentHandle }] : []),
    ...(bluesky.account
      ? [{ platform: 'bluesky' as const, handle: bluesky.account.identifier.replace(/^@/, '') }]
      : []),
  ];
}
