import type { SwitchName } from '@archive/contracts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { listSuspended, setSuspension, setSwitch } from '../operators/change-stops.ts';
import { createStops } from '../operators/operators.ts';
import { change, type Why } from './operators.ts';

interface Context {
  database: Database;
  ledger: LedgerWriter;
  audit: Audit;
}

export function changeSwitch(context: Context, name: SwitchName, isStopped: boolean, why: Why): Promise<boolean> {
  return change(async (by) => {
    await setSwitch(needsOf(context), name, isStopped, by);
    return `${name} is ${isStopped ? 'stopped' : 'open'} in every process.`;
  }, why);
}

export function changeSuspension(context: Context, wallet: string, isSuspended: boolean, why: Why): Promise<boolean> {
  return change(async (by) => {
    const isChanged = await setSuspension(needsOf(context), wallet, isSuspended, by);
    if (isSuspended) return `${wallet} ${isChanged ? 'is' : 'was already'} suspended.`;
    return `${wallet} ${isChanged ? 'is resumed' : 'was not suspended'}.`;
  }, why);
}

export async function showSuspended({ db }: Database): Promise<boolean> {
  for (const { wallet, by, reason, since } of await listSuspended({ operators: createStops(db) })) {
    process.stdout.write(`${wallet.padEnd(44)}  ${since.slice(0, 10)}  by ${by}  ${reason ?? ''}\n`);
  }
  return true;
}

function needsOf({ database, ledger, audit }: Context) {
  return { ledger, audit, operators: createStops(database.db) };
}
