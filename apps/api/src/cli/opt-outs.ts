import { HANDLE_LENGTH } from '@archive/contracts';
import type { Database } from '../db/database.ts';
import { OptOutStore } from '../launches/opt-out-store.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';

/** From then on nobody can launch a token from a post of this author; what is launched stays. */
export async function addOptOut({ db, clock }: Database, ledger: LedgerWriter, handle: string): Promise<boolean> {
  const name = handle.replace(/^@/, '');
  if (name.length < 1 || Array.from(name).length > HANDLE_LENGTH) {
    process.stdout.write(`${handle} is no handle.\n`);
    return false;
  }
  const isNew = await new OptOutStore(db, ledger).add(name, clock.now());
  process.stdout.write(`@${name} ${isNew ? 'is' : 'was already'} opted out of token launches.\n`);
  return true;
}

export async function removeOptOut({ db }: Database, ledger: LedgerWriter, handle: string): Promise<boolean> {
  const isRemoved = await new OptOutStore(db, ledger).remove(handle);
  const name = handle.replace(/^@/, '');
  process.stdout.write(isRemoved ? `@${name} is no longer opted out.\n` : `@${name} was not opted out.\n`);
  return isRemoved;
}

export async function listOptOuts({ db }: Database): Promise<boolean> {
  const optOuts = await new OptOutStore(db).list();
  if (optOuts.length === 0) process.stderr.write('Nobody is opted out of token launches.\n');
  for (const { _id, createdAt } of optOuts) process.stdout.write(`${createdAt.toISOString().slice(0, 10)}  @${_id}\n`);
  return true;
}
