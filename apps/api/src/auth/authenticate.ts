import type { Request } from 'express';
import type { Context } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import type { TokenClaims } from './tokens.ts';

/** The signed-in wallet of a request, or a 401. */
export async function authenticate(
  context: Pick<Context, 'tokens' | 'sessions' | 'now'>,
  request: Request,
): Promise<TokenClaims> {
  const token = /^Bearer ([A-Za-z0-9._-]{1,2000})$/i.exec(request.headers.authorization ?? '')?.[1];
  const claims = token ? context.tokens.read(token) : null;
  if (claims && (await context.sessions.isAlive(claims.id, claims.walletAddress, new Date(context.now()))))
    return claims;
  throw new AppError('unauthorized', 'Please sign in.', { headers: { 'WWW-Authenticate': 'Bearer' } });
}
