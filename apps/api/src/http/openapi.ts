import {
  API_BASE,
  ENDPOINTS,
  type EndpointName,
  ERROR_STATUS,
  type ErrorCode,
  LEGACY_PATHS,
  PRODUCT_NAME,
} from '@archive/contracts';
import { ANSWERS, type AnswerDescription, INPUTS, type InputSchemas, problemSchema } from '@archive/contracts/schemas';
import { z } from 'zod';
import { BUDGETS } from './rate-limits.ts';
import { addressBudgetOf, type Route, type Routes } from './route.ts';

type Json = Record<string, unknown>;
type AnyRoute = Route<EndpointName, never>;

/** The properties of a route that the documentation shows. */
interface RouteTerms extends Pick<AnyRoute, 'access' | 'needsIndex' | 'addressBudget' | 'networkBudget'> {
  isFresh?: true;
  walletBudget?: keyof typeof BUDGETS;
}

/** Who may call, as text. */
const ACCESS: Record<AnyRoute['access'], { words: string; security: Json[] }> = {
  anyone: { words: 'Anybody may call it.', security: [] },
  visitor: { words: 'Anybody may call it; with a session it says more.', security: [{}, { session: [] }] },
  session: { words: 'Needs a session.', security: [{ session: [] }] },
  signature: { words: 'Needs no session: the signature in the body is the proof.', security: [] },
  'session or agent key': {
    words: 'Needs a session, or an agent key that is for it.',
    security: [{ session: [] }, { agentKey: [] }],
  },
  operator: { words: 'For operators.', security: [{ session: [] }] },
  'agent key': { words: 'Needs an agent key.', security: [{ agentKey: [] }] },
};

/** Descriptions of the groups of calls. A group without one is listed too. */
const TAGS: Record<string, string> = {
  service: 'The process itself.',
  archives: 'Posts: list, search, export, save, open.',
  suggest: 'What may be meant by what was typed.',
  timeline: 'How many posts match, over time.',
  authors: 'Who wrote what is kept.',
  analytics: 'Counts over the whole archive.',
  explore: 'Ways into the archive for who looks for nothing yet.',
  random: 'One post by chance.',
  auth: 'Signing in with a wallet, and the profile.',
  reactions: 'What people think of a post.',
  token: 'Launching a token from a post.',
  launches: 'Where a post was launched.',
  saves: 'Asking for posts to be saved.',
  live: 'What happens while a page is open.',
  feature: 'Paying to have a post featured.',
  feed: 'The archive, or a part of it, for readers of feeds.',
  sitemap: 'The pages of all posts, for search engines.',
  oembed: 'Showing posts on other sites.',
  embed: 'A post in the frame of another site.',
  share: 'Posts as pictures.',
  media: 'Pictures and videos of posts, by the SHA-256 of their bytes.',
};

/**
 * Describes the whole API as OpenAPI 3.1. Paths, inputs and answers come from the contract, access and limits from the
 * routes.
 */
export function describeApi(routes: Routes<EndpointName, never>, server: string): Json & { openapi: string } {
  const components = new Components();
  const paths: Record<string, Json> = {};
  // Calls for operators are not public.
  const names = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => routes[name].access !== 'operator');
  for (const name of names) {
    const { method, path } = ENDPOINTS[name];
    for (const [index, one] of [path, ...(LEGACY_PATHS[name] ?? [])].entries()) {
      const operation = describe(name, routes[name] as AnyRoute, components);
      const legacy = { operationId: `${name}Legacy${index}`, deprecated: true };
      const key = one.replace(/:(\w+)/g, '{$1}');
      paths[key] = { ...paths[key], [method.toLowerCase()]: index === 0 ? operation : { ...operation, ...legacy } };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '1',
      description:
        'Ids are text, times ISO 8601 in UTC, amounts decimal or integer strings. Unknown parameters and fields are ignored.',
    },
    servers: [{ url: server }],
    tags: [...new Set([...Object.keys(TAGS), ...names.map((name) => tagOf(ENDPOINTS[name].path))])].map((name) => ({
      name,
      ...(TAGS[name] ? { description: TAGS[name] } : {}),
    })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of `auth/verify`.' },
        agentKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key made by the operator, with which posts are saved.',
        },
      },
      schemas: components.schemas,
    },
  };
}

function describe(name: EndpointName, route: RouteTerms, components: Components): Json {
  const { summary }: AnswerDescription = ANSWERS[name];
  const inputs: InputSchemas = INPUTS[name];
  const { words, security } = ACCESS[route.access];
  const parameters = [
    ...parametersOf(inputs.params, 'path', components),
    ...parametersOf(inputs.query, 'query', components),
  ];
  return {
    operationId: name,
    summary,
    description: [words, ...limitsOf(route)].join(' '),
    tags: [tagOf(ENDPOINTS[name].path)],
    security,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(inputs.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: components.describe(inputs.body, 'input') } },
          },
        }
      : {}),
    responses: { ...refusalsOf(name, route, components), ...answersOf(name, components) },
  };
}

function tagOf(path: string): string {
  const [first = '', second = ''] = path.split('/').filter((segment) => segment !== '');
  if (`/${first}` === API_BASE) return second === 'config' ? 'service' : second;
  const room = first.replace(/\..*/, '');
  return room in TAGS ? room : 'service';
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query', components: Components): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.describe(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...one }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema: one,
  }));
}

function limitsOf(route: RouteTerms): string[] {
  const { walletBudget } = route;
  const addressBudget = addressBudgetOf(route);
  return [
    ...(addressBudget ? [`At most ${budget(addressBudget)} from one address.`] : []),
    ...(route.access === 'agent key'
      ? [`At most ${BUDGETS.ingest.points} posts in ${BUDGETS.ingest.seconds} seconds, or what the key says.`]
      : []),
    ...(walletBudget ? [`At most ${budget(walletBudget)} by one wallet.`] : []),
    ...(route.networkBudget ? [`At most ${budget(route.networkBudget)} from one network, /24 or /48.`] : []),
  ];
}

function budget(name: keyof typeof BUDGETS): string {
  const { points, seconds } = BUDGETS[name];
  return `${points} calls in ${seconds} seconds`;
}

function answersOf(name: EndpointName, components: Components): Json {
  const { answer, statuses = [200] }: AnswerDescription = ANSWERS[name];
  if (answer === null) return { 204: { description: 'Done.' } };
  const content =
    answer instanceof z.ZodType
      ? { 'application/json': { schema: components.describe(answer, 'output') } }
      : Object.fromEntries(answer.media.map((type) => [type.split(';')[0], { schema: { type: 'string' } }]));
  return Object.fromEntries(statuses.map((status) => [status, { description: DESCRIPTIONS[status], content }]));
}

const DESCRIPTIONS: Record<number, string> = {
  200: 'The answer.',
  400: 'What is wrong, in the same form.',
  404: 'That it is unknown, in the same form.',
  410: 'That it is gone, in the same form.',
  201: 'Made.',
  202: 'Under way: ask again.',
  206: 'The part that was asked for.',
  503: 'Not yet.',
};

function refusalsOf(name: EndpointName, route: RouteTerms, components: Components): Json {
  const all = refusalCodes(name, route);
  const statuses = new Set(all.map((code) => ERROR_STATUS[code]));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: `Refused: ${all.filter((code) => ERROR_STATUS[code] === status).join(', ')}.`,
        ...(status === 429 || status === 503
          ? { headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'string' } } } }
          : {}),
        content: { 'application/problem+json': { schema: components.describe(problemSchema, 'output') } },
      },
    ]),
  );
}

/** Every code that may refuse a call. */
export function refusalCodes(name: EndpointName, route: RouteTerms): ErrorCode[] {
  const { params, query, body }: InputSchemas = INPUTS[name];
  const { refusals = [] }: AnswerDescription = ANSWERS[name];
  const isAboutPost = /\/:id\b/.test(ENDPOINTS[name].path) || (body instanceof z.ZodObject && 'amberId' in body.shape);
  const codes: ErrorCode[] = [
    'invalid_request',
    ...(body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(/session|agent key/.test(route.access) ? (['unauthorized'] as const) : []),
    ...(route.access === 'operator' ? (['not_found', 'rate_limited'] as const) : []),
    ...(route.isFresh ? (['sign_in_again'] as const) : []),
    ...(isAboutPost && (params || query || body)
      ? (['post_not_found', 'post_removed', 'post_hidden', 'post_withheld'] as const)
      : []),
    ...(route.access.endsWith('agent key') ? (['forbidden', 'rate_limited'] as const) : []),
    ...(route.walletBudget || route.addressBudget ? (['rate_limited'] as const) : []),
    ...(route.needsIndex ? (['starting', 'search_unavailable'] as const) : []),
    ...refusals,
    'overloaded',
    'internal_error',
    'database_unavailable',
  ];
  return [...new Set(codes)];
}

/** Collects the named schemas under `components`, each once. */
class Components {
  readonly schemas: Record<string, Json> = {};
  /**
   * Many calls share schemas. Without this cache, the first request for the description would block the process for a
   * second.
   */
  readonly #described = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() };

  describe(schema: z.ZodType, io: 'input' | 'output'): Json {
    const known = this.#described[io].get(schema);
    if (known) return known;
    // Wrapped in an object, so that a named schema becomes a reference.
    const wrapped = z.toJSONSchema(z.object({ it: schema }), { io, unrepresentable: 'any', reused: 'inline' });
    const text = JSON.stringify(wrapped).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $defs, properties } = JSON.parse(text) as { $defs?: Record<string, Json>; properties: { it: Json } };
    for (const [id, { id: _, ...described }] of Object.entries($defs ?? {})) this.schemas[id] = described;
    this.#described[io].set(schema, properties.it);
    return properties.it;
  }
}
