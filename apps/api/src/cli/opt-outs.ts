import { HANDLE_LENGTH } from '@archive/contracts';
import type { Audit } from '../audit/audit.ts';
import type { Act } from '../audit/audit-entry.ts';
import type { Database } from '../db/database.ts';
import { OptOutStore } from '../launches/opt-out-store.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';

interface Context {
  database: Database;
  ledger: LedgerWriter;
  audit: Audit;
}

/** Refuses future token launches from this author's posts; existing tokens stay. */
export async function addOptOut({ database, ledger, audit }: Context, handle: string): Promise<boolean> {
  const name = handle.replace(/^@/, '');
  if (name.length < 1 || Array.from(name).length > HANDLE_LENGTH) {
    process.stdout.write(`${handle} is no handle.\n`);
    return false;
  }
  const store = new OptOutStore(database.db, ledger);
  const isNew =
    !(await store.has(name)) && (await audit.perform(actOn(name, true), () => store.add(name, database.clock.now())));
  process.stdout.write(`@${name} ${isNew ? 'is' : 'was already'} opted out of token launches.\n`);
  return true;
}

export async function removeOptOut({ database, ledger, audit }: Context, handle: string): Promise<boolean> {
  const store = new OptOutStore(database.db, ledger);
  const name = handle.replace(/^@/, '');
  const isRemoved = (await store.has(name)) && (await audit.perform(actOn(name, false), () => store.remove(name)));
  process.stdout.write(isRemoved ? `@${name} is no longer opted out.\n` : `@${name} was not opted out.\n`);
  return isRemoved;
}

function actOn(name: string, isOptedOut: boolean): Act {
  return {
    actor: { kind: 'command line' },
    act: isOptedOut ? 'opt out' : 'opt in',
    subject: { kind: 'author', id: name },
    before: { isOptedOut: !isOptedOut },
    after: { isOptedOut },
  };
}

export async function listOptOuts({ db }: Database): Promise<boolean> {
  const optOuts = await new OptOutStore(db).list();
  if (optOuts.length === 0) process.stderr.write('Nobody is opted out of token launches.\n');
  for (const { _id, createdAt } of optOuts) process.stdout.write(`${createdAt.toISOString().slice(0, 10)}  @${_id}\n`);
  return true;
}
