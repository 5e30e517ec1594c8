import { randomBytes } from 'node:crypto';
import type { AdminKey } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import type { Act } from '../audit/audit-entry.ts';
import type { Base } from '../base.ts';
import { type AgentKey, type AgentKeyStore, type KeyTerms, scopesOf } from './agent-key-store.ts';

interface Needs extends Pick<Base, 'audit' | 'ledger'> {
  accounts: { agentKeys: AgentKeyStore };
}

type By = Pick<Act, 'actor' | 'reason' | 'requestId'>;

/** Creates a key and returns it once. */
export async function makeKey(
  { accounts, audit }: Needs,
  { name, ...terms }: KeyTerms & { name: string },
  by: By,
): Promise<{ id: string; key: string }> {
  const id = randomBytes(6).toString('hex');
  const { scopes = ['ingest'], expiresAt, postsPerMinute } = terms;
  const after = { scopes, expiresAt: expiresAt?.toISOString() ?? null, postsPerMinute: postsPerMinute ?? null };
  return audit.perform({ ...by, act: 'make key', subject: { kind: 'key', id }, after }, () =>
    accounts.agentKeys.create(name, terms, id),
  );
}

/** Revokes a key at once, for all later calls. */
export async function revokeKey({ accounts, audit, ledger }: Needs, id: string, by: By): Promise<void> {
  const known = (await accounts.agentKeys.list()).find(({ _id }) => _id === id);
  if (!known || known.revokedAt) throw new AppError('not_found', `There is no key ${id} in use.`);
  const states = { before: { isRevoked: false }, after: { isRevoked: true } };
  await audit.perform({ ...by, act: 'revoke key', subject: { kind: 'key', id }, ...states }, async () => {
    await ledger.record({ kind: 'key-revoked', key: id });
    await accounts.agentKeys.revoke(id);
  });
}

/** The form for operators, without the key itself. */
export function toAdminKey(key: AgentKey): AdminKey {
  return {
    _id: key._id,
    name: key.name,
    scopes: [...scopesOf(key)],
    postsPerMinute: key.postsPerMinute ?? null,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}
