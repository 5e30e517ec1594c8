import type { Request } from 'express';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import type { TokenClaims } from './tokens.ts';

type Needs = Pick<Context, 'tokens' | 'sessions' | 'now'>;

/** The signed-in wallet of a request, or a 401. */
export async function authenticate(context: Needs, request: Request): Promise<TokenClaims> {
  const claims = await findSession(context, request);
  if (claims) return claims;
  throw new AppError('unauthorized', 'Please sign in.', { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** The signed-in wallet of a request that a visitor may make too; null for a visitor, and for a token that is worth nothing. */
export async function findSession(context: Needs, request: Request): Promise<TokenClaims | null> {
  const token = /^Bearer ([A-Za-z0-9._-]{1,2000})$/i.exec(request.headers.authorization ?? '')?.[1];
  const claims = token ? context.tokens.read(token) : null;
  if (!claims) return null;
  const isAlive = await context.sessions.isAlive(claims.id, claims.walletAddress, new Date(context.now()));
  return isAlive ? claims : null;
}
