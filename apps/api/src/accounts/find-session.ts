import type { Accounts } from './accounts.ts';
import type { TokenClaims } from './tokens.ts';

interface Needs {
  accounts: Pick<Accounts, 'tokens' | 'sessions'>;
}

/** The session that an `Authorization` header names; null where it names none, or one that is worth nothing. */
export async function findSession({ accounts }: Needs, authorization = ''): Promise<TokenClaims | null> {
  const token = /^Bearer ([A-Za-z0-9._-]{1,2000})$/i.exec(authorization)?.[1];
  const claims = token ? accounts.tokens.read(token) : null;
  if (!claims) return null;
  const isAlive = await accounts.sessions.isAlive(claims.id, claims.walletAddress);
  return isAlive ? claims : null;
}
