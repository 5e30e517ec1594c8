import {
  ENDPOINTS,
  type EndpointName,
  FRESH_SIGN_IN_MINUTES,
  INGEST_BODY_BYTES,
  LEGACY_PATHS,
  ROLES,
  type Role,
} from '@archive/contracts';
import { INPUTS, type InputSchemas } from '@archive/contracts/schemas';
import express, { type IRouter, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../app-error.ts';
import { clientOf } from '../clients.ts';
import { tellRefusalsBy } from './error-handler.ts';
import { parse } from './parse.ts';
import { BUDGETS, type Budget, type RateLimits } from './rate-limits.ts';
import type { ResponseCache } from './response-cache.ts';
import { addressBudgetOf, type Operator, type Route, type Routes } from './route.ts';
import { sendEntry } from './serve-cached.ts';
import { untilGone } from './until-gone.ts';
import { sendWritten, Written } from './written.ts';

/** The checks between a request and its use case. */
export interface Gates {
  limits: RateLimits;
  responses: ResponseCache;
  /** The refusal of lists while the index cannot answer them; null if it can. */
  indexRefusal(): AppError | null;
  findSession(
    authorization: string | undefined,
  ): Promise<{ id: string; walletAddress: string; startedAt: Date | null } | null>;
  /** Read for every call, so that a withdrawn role ends at once. */
  roleOf(wallet: string): Promise<Role | null>;
  /** The current time by the database's clock. */
  now(): Date;
  findAgent(key: string): Promise<Agent | null>;
}

/** The agent behind an agent key. */
export interface Agent {
  id: string;
  scopes: readonly string[];
  /** The agent's own limit, if it has one. */
  postsPerMinute: number | undefined;
}

/** What a route receives about its caller, once the call is allowed. */
interface Caller extends Partial<Pick<Operator, 'role' | 'actor' | 'signedInAt'>> {
  wallet?: string | null;
  session?: string;
  onProven?: (wallet: string) => Promise<void>;
  agent?: string;
  caller?: { kind: 'wallet' | 'key'; id: string };
  onCounted?: (posts: number) => Promise<void>;
}

type AnyRoute<Needs> = Route<EndpointName, Needs>;

const parseLargeBody = express.json({ limit: INGEST_BODY_BYTES, type: 'application/json' });

/**
 * Mounts endpoints under their paths and their older paths. Paths with literal segments come before those with
 * parameters.
 */
export function mountRoutes<Needs>(
  router: IRouter,
  names: readonly EndpointName[],
  routes: Routes<EndpointName, Needs>,
  needs: Needs,
  gates: Gates,
): void {
  const mounts = names.flatMap((name) => {
    const handler = serve(name, routes[name] as AnyRoute<Needs>, needs, gates);
    const method = ENDPOINTS[name].method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    return [ENDPOINTS[name].path, ...(LEGACY_PATHS[name] ?? [])].map((path) => ({ method, path, handler }));
  });
  mounts.sort((one, other) => generality(one.path).localeCompare(generality(other.path)));
  for (const { method, path, handler } of mounts) router[method](path, handler);
}

/** Sort key that places a path before a more general one that also matches. */
function generality(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? 1 : 0))
    .join('');
}

/** Handles one request: limits, access, parsing, use case, reply. */
function serve<Needs>(name: EndpointName, route: AnyRoute<Needs>, needs: Needs, gates: Gates): RequestHandler {
  const inputs: InputSchemas = INPUTS[name];
  const addressBudget = addressBudgetOf(route);
  return async (request, response, next) => {
    const operator = route.access === 'operator' ? await findOperator(route, request, gates) : null;
    // To other callers the address does not exist.
    if (route.access === 'operator' && !operator) return next();
    if (route.refusal) tellRefusalsBy(response, (error) => route.refusal?.(needs, error) ?? null);
    const refusal = route.needsIndex ? gates.indexRefusal() : null;
    if (refusal) throw refusal;
    // Caches must not store an answer for one caller.
    if (route.access !== 'anyone') response.setHeader('Cache-Control', 'no-store');
    const client = clientOf(request.ip);
    if (addressBudget) await gates.limits.spendOf(addressBudget, client, response, { cost: route.addressCost ?? 1 });
    if (route.networkBudget && route.access === 'anyone')
      await gates.limits.spend(route.networkBudget, client.network, null);
    const caller: Caller = operator
      ? await admitOperator(route, operator, response, gates)
      : await admit(route, request, response, gates);
    response.locals['actor'] = caller.wallet ?? caller.agent ?? caller.caller?.id;
    const input = {
      ...(inputs.params ? { params: parse(inputs.params, request.params, 'parameter') } : {}),
      ...(inputs.query ? { query: parse(inputs.query, request.query, 'parameter') } : {}),
      ...(inputs.body ? { body: parse(inputs.body, request.body, 'field') } : {}),
      ...caller,
      network: client.network,
      requestId: String(response.getHeader('X-Request-Id') ?? ''),
    };
    const gone = untilGone(response);
    const run = (signal: AbortSignal) => (route.run as Run<Needs>)(needs, { ...input, asker: { client, signal } });
    if (route.isCached) {
      const entry = await gates.responses.answer(request.originalUrl, run, {
        who: client.prefix,
        gone,
      });
      return sendEntry(gates.responses, request, response, entry);
    }
    const result = await run(gone);
    if (result instanceof Written) return sendWritten(response, result);
    if (typeof result === 'function') await result(request, response);
    else if (result === undefined) response.status(204).end();
    else response.json(result);
  };
}

type Run<Needs> = (needs: Needs, input: object) => unknown;
/** The operator who calls, if the role allows it; null for all other callers. */
async function findOperator<Needs>(
  { role: needed }: AnyRoute<Needs> & { access: 'operator' },
  request: Request,
  gates: Gates,
): Promise<Operator | null> {
  const session = await gates.findSession(request.headers.authorization);
  const role = session && (await gates.roleOf(session.walletAddress));
  if (!role || ROLES.indexOf(role) < ROLES.indexOf(needed)) return null;
  const { walletAddress: wallet, startedAt: signedInAt } = session;
  return { wallet, role, actor: { kind: 'wallet', id: wallet }, signedInAt };
}

async function admitOperator<Needs>(
  route: AnyRoute<Needs>,
  operator: Operator,
  response: Response,
  gates: Gates,
): Promise<Operator> {
  await gates.limits.spend('admin', operator.wallet, response);
  const isWanted = route.access === 'operator' && route.isFresh;
  const freshMs = FRESH_SIGN_IN_MINUTES * 60_000;
  const isFresh = operator.signedInAt && operator.signedInAt.getTime() + freshMs > gates.now().getTime();
  if (!isWanted || isFresh) return operator;
  throw new AppError(
    'sign_in_again',
    `Please sign in again: this wants a sign-in of the last ${FRESH_SIGN_IN_MINUTES} minutes.`,
  );
}

const BEARER = { 'WWW-Authenticate': 'Bearer' };

/** Checks access and budgets, and returns the caller. */
async function admit<Needs>(
  route: AnyRoute<Needs>,
  request: Request,
  response: Response,
  gates: Gates,
): Promise<Caller> {
  if (route.access === 'session or agent key') {
    const session = await gates.findSession(request.headers.authorization);
    const agent = session ? null : await findAgent(request, gates);
    if (session) await spendAsWallet(route, session.walletAddress, request, response, gates);
    else if (agent) {
      requireScope(agent, route.scope);
      await gates.limits.spend(route.walletBudget, agent.id, response);
    } else {
      // Limits guesses of keys. A call without a key is only asked to sign in.
      if (request.headers.authorization) await gates.limits.spendOf('refusedKey', clientOf(request.ip), response);
      throw unauthorized(request, 'Please sign in.');
    }
    return { caller: session ? { kind: 'wallet', id: session.walletAddress } : { kind: 'key', id: agent?.id ?? '' } };
  }
  if (route.access === 'agent key') {
    const agent = await findAgent(request, gates);
    if (!agent) {
      await gates.limits.spendOf('refusedKey', clientOf(request.ip), response);
      throw unauthorized(request, 'An agent key is needed to save posts.');
    }
    requireScope(agent, route.scope);
    const { postsPerMinute: points = BUDGETS.ingest.points } = agent;
    const pay = (cost: number) => gates.limits.spend('ingest', agent.id, response, { points, cost });
    // The call is charged as one post before its body is read.
    await pay(1);
    if (!request.is('application/json')) {
      throw new AppError('unsupported_media_type', 'The body must be JSON (Content-Type: application/json).');
    }
    await readLargeBody(request, response);
    return { agent: agent.id, onCounted: async (posts) => (posts > 1 ? pay(posts - 1) : undefined) };
  }
  if (route.access === 'anyone' || route.access === 'operator') return {};
  if (route.access === 'signature') {
    // Charged only after the signature is checked, so that others cannot spend a wallet's budget by naming it.
    return {
      onProven: (wallet) => {
        response.locals['actor'] = wallet;
        return spendAsWallet(route, wallet, request, response, gates);
      },
    };
  }
  const session = await gates.findSession(request.headers.authorization);
  if (route.access === 'visitor') return { wallet: session?.walletAddress ?? null };
  if (!session) throw unauthorized(request, 'Please sign in.');
  await spendAsWallet(route, session.walletAddress, request, response, gates);
  return { wallet: session.walletAddress, session: session.id };
}

/** Says that a proof of identity is missing, or that the given one is invalid. */
function unauthorized(request: Request, wanted: string): AppError {
  const isBearer = /^Bearer /i.test(request.headers.authorization ?? '');
  return new AppError('unauthorized', isBearer ? 'This session or agent key is unknown or has ended.' : wanted, {
    headers: BEARER,
  });
}

/** The agent of the key in the request; null if there is none. */
async function findAgent(request: Request, gates: Gates): Promise<Agent | null> {
  const key = /^Bearer ([^\s]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
  return key ? gates.findAgent(key) : null;
}

function requireScope(agent: Agent, scope: string): void {
  if (agent.scopes.includes(scope)) return;
  throw new AppError('forbidden', `This agent key is not for this: it lacks the scope ${scope}.`);
}

/** Charges a call to its wallet and, if that allows it, to its network. */
async function spendAsWallet<Needs>(
  { walletBudget, networkBudget }: AnyRoute<Needs> & { walletBudget?: Budget },
  wallet: string,
  request: Request,
  response: Response,
  { limits }: Gates,
): Promise<void> {
  if (walletBudget) await limits.spend(walletBudget, wallet, response);
  if (networkBudget) await limits.spend(networkBudget, clientOf(request.ip).network, null);
}

/** Reads a large body. Called only after the key is checked, so that bodies of strangers are not read. */
function readLargeBody(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void parseLargeBody(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}
