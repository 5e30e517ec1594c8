import type { OperatorEntry } from '@archive/contracts';
import { decodeAddress } from '@archive/solana/verify';
import { AppError } from '../app-error.ts';
import type { Act, AuditState } from '../audit/audit-entry.ts';
import type { Base } from '../base.ts';
import type { OperatorDocument } from './operator-store.ts';
import type { Operators } from './operators.ts';

type Needs = Pick<Base, 'config' | 'audit'> & { operators: Operators };
type UnmakeNeeds = Needs & Pick<Base, 'database' | 'ledger'>;
/** The actor, the reason and the request of an act. */
export type By = Pick<Act, 'actor' | 'reason' | 'requestId'>;

/** Makes a wallet a moderator; idempotent. Only the settings name admins. */
export async function makeModerator(context: Needs, wallet: string, by: By): Promise<OperatorEntry> {
  requireNoAdmin(context, wallet);
  if (decodeAddress(wallet) === null) throw refused('must be a Solana address in base58');
  const { store } = context.operators;
  const known = await store.find(wallet);
  if (known) return toOperator(known);
  const act = { ...by, act: 'make moderator', subject: { kind: 'wallet', id: wallet } };
  const made = await context.audit.perform({ ...act, before: roleState(null), after: roleState('moderator') }, () =>
    store.make(wallet, by.actor.id ?? by.actor.kind),
  );
  return toOperator(made);
}

/**
 * Ends a moderator's role, from the next call on and also after every restore. Returns false if the wallet is no
 * moderator.
 */
export async function unmakeModerator(context: UnmakeNeeds, wallet: string, by: By): Promise<boolean> {
  requireNoAdmin(context, wallet);
  const { store } = context.operators;
  const known = await store.find(wallet);
  if (!known) return false;
  const act = { ...by, act: 'unmake moderator', subject: { kind: 'wallet', id: wallet } };
  const states = { before: roleState(known.role), after: roleState(null) };
  await context.audit.perform({ ...act, ...states }, async () => {
    // The measured clock may lag behind the database's, which stamped `createdAt`.
    const unmadeAt = new Date(Math.max(context.database.clock.now().getTime(), known.createdAt.getTime()));
    await context.ledger.record({ kind: 'moderator-unmade', wallet, unmadeAt });
    await store.drop(wallet);
  });
  return true;
}

/** Admins first, then moderators in the order of their appointment. */
export async function listOperators({ config, operators }: Omit<Needs, 'audit'>): Promise<OperatorEntry[]> {
  const admins = config.adminWallets.map(
    (wallet) => ({ wallet, role: 'admin', madeBy: null, createdAt: null }) as const,
  );
  const moderators = (await operators.store.list()).filter(({ _id }) => !config.adminWallets.includes(_id));
  return [...admins, ...moderators.map(toOperator)];
}

function toOperator({ _id, role, madeBy, createdAt }: OperatorDocument): OperatorEntry {
  return { wallet: _id, role, madeBy, createdAt: createdAt.toISOString() };
}

function roleState(role: string | null): AuditState {
  return { role };
}

function requireNoAdmin({ config }: Pick<Base, 'config'>, wallet: string): void {
  if (config.adminWallets.includes(wallet)) throw refused('is an admin by the settings, which alone can change that');
}

function refused(message: string): AppError {
  return new AppError('invalid_request', `wallet: ${message}`, { errors: [{ path: 'wallet', message }] });
}
