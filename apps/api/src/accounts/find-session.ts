import type { Accounts } from './accounts.ts';
import type { TokenClaims } from './tokens.ts';

interface Needs {
  accounts: Pick<Accounts, 'tokens' | 'sessions'>;
}

/** The caller's claims and the start of the session; null if the start was not recorded. */
export interface FoundSession extends TokenClaims {
  startedAt: Date | null;
}

/** The session that an `Authorization` header names; null if there is none, or if it is invalid. */
export async function findSession({ accounts }: Needs, authorization = ''): Promise<FoundSession | null> {
  const token = /^Bearer ([A-Za-z0-9._-]{1,2000})$/i.exec(authorization)?.[1];
  const claims = token ? accounts.tokens.read(token) : null;
  const session = claims && (await accounts.sessions.find(claims.id, claims.walletAddress));
  return session ? { ...claims, startedAt: session.createdAt ?? null } : null;
}
