import { AppError } from '../app-error.ts';
import type { Audit } from '../audit/audit.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { type By, listOperators, makeModerator, unmakeModerator } from '../operators/change-moderators.ts';
import { createOperators } from '../operators/operators.ts';

interface Context {
  config: Config;
  database: Database;
  ledger: LedgerWriter;
  audit: Audit;
}

export interface Why {
  reason?: string;
}

export async function showOperators(database: Database, config: Config): Promise<boolean> {
  const all = await listOperators({ config, operators: createOperators({ config, database }) });
  if (all.length === 0)
    process.stderr.write(
      'There are no moderators, and ADMIN_WALLETS, which names the admins, is not set where this command runs.\n',
    );
  for (const { wallet, role, madeBy, createdAt } of all) {
    const since = madeBy === null ? 'by ADMIN_WALLETS' : `${createdAt?.slice(0, 10)} by ${madeBy}`;
    process.stdout.write(`${wallet.padEnd(44)}  ${role.padEnd(9)}  ${since}\n`);
  }
  return true;
}

export function addModerator(context: Context, wallet: string, why: Why): Promise<boolean> {
  return change(async (by) => {
    await makeModerator(needsOf(context), wallet, by);
    return `${wallet} is a moderator.`;
  }, why);
}

export function removeModerator(context: Context, wallet: string, why: Why): Promise<boolean> {
  return change(async (by) => {
    const isChanged = await unmakeModerator(needsOf(context), wallet, by);
    return `${wallet} ${isChanged ? 'is no longer a' : 'was no'} moderator.`;
  }, why);
}

function needsOf({ config, database, ledger, audit }: Context) {
  return { config, database, ledger, audit, operators: createOperators({ config, database }) };
}

/** Runs a change for the command line and prints its outcome or its refusal. */
export async function change(run: (by: By) => Promise<string>, { reason }: Why): Promise<boolean> {
  try {
    process.stdout.write(`${await run({ actor: { kind: 'command line' }, reason })}\n`);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    process.stdout.write(`${error.message}\n`);
    return false;
  }
}
