import { type SuspendedWallet, SWITCHES, type Switch, type SwitchName } from '@archive/contracts';
import { decodeAddress } from '@archive/solana/verify';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import type { By } from './change-moderators.ts';
import type { Stops } from './operators.ts';
import type { StopDocument } from './stop-store.ts';

type Needs = Pick<Base, 'audit' | 'ledger'> & { operators: Stops };

const SUSPENDED_SHOWN = 1_000;

/** Stops or reopens the feature of a switch. Takes effect with the next decision of every process. */
export async function setSwitch(context: Needs, name: SwitchName, isStopped: boolean, by: By): Promise<Switch> {
  const { switches } = context.operators;
  const known = await switches.find(name);
  if ((known?.isStopped ?? false) === isStopped) return toSwitch(name, known);
  const act = { ...by, act: isStopped ? `stop ${name}` : `open ${name}`, subject: { kind: 'switch', id: name } };
  const states = { before: { isStopped: !isStopped }, after: { isStopped } };
  return context.audit.perform({ ...act, ...states }, async () => {
    await context.ledger.record({ kind: 'switch', name, isStopped });
    return toSwitch(name, await switches.set(name, isStopped, who(by)));
  });
}

export async function listSwitches({ operators }: Pick<Needs, 'operators'>): Promise<Switch[]> {
  return Promise.all(SWITCHES.map(async (name) => toSwitch(name, await operators.switches.find(name))));
}

/**
 * Suspends a wallet, or ends its suspension. A suspended wallet cannot launch, react, feature or save; its payments
 * become credits. It can still sign in, and read and export its own data. Returns false if nothing changes.
 */
export async function setSuspension(context: Needs, wallet: string, isSuspended: boolean, by: By): Promise<boolean> {
  if (decodeAddress(wallet) === null) {
    const message = 'must be a Solana address in base58';
    throw new AppError('invalid_request', `wallet: ${message}`, { errors: [{ path: 'wallet', message }] });
  }
  const { wallets } = context.operators;
  if ((await wallets.isStopped(wallet)) === isSuspended) return false;
  const act = { ...by, act: isSuspended ? 'suspend wallet' : 'resume wallet', subject: { kind: 'wallet', id: wallet } };
  const states = { before: { isSuspended: !isSuspended }, after: { isSuspended } };
  await context.audit.perform({ ...act, ...states }, async () => {
    await context.ledger.record({ kind: 'suspension', wallet, isSuspended });
    await wallets.set(wallet, isSuspended, who(by));
  });
  return true;
}

/** The latest first. */
export async function listSuspended({ operators }: Pick<Needs, 'operators'>): Promise<SuspendedWallet[]> {
  return (await operators.wallets.stopped(SUSPENDED_SHOWN)).map(({ _id, by, reason, changedAt }) => ({
    wallet: _id,
    by,
    reason,
    since: changedAt.toISOString(),
  }));
}

function toSwitch(name: SwitchName, kept: StopDocument | null): Switch {
  if (!kept) return { name, isStopped: false, by: null, reason: null, changedAt: null };
  const { isStopped, by, reason, changedAt } = kept;
  return { name, isStopped, by, reason, changedAt: changedAt.toISOString() };
}

function who({ actor, reason }: By) {
  return { by: actor.id ?? actor.kind, reason: reason || null };
}
