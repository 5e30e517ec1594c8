import type { Database } from '../db/database.ts';
import { AgentKeyStore } from '../ingest/agent-key-store.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';

export async function createKey(database: Database, name: string): Promise<boolean> {
  const { id, key } = await new AgentKeyStore(database.db).create(name);
  process.stderr.write(`Key ${id} for ${name}. It is shown this once; only its hash is kept.\n`);
  process.stdout.write(`${key}\n`);
  return true;
}

export async function listKeys(database: Database): Promise<boolean> {
  const keys = await new AgentKeyStore(database.db).list();
  if (keys.length === 0) process.stderr.write('There are no keys yet.\n');
  for (const key of keys) {
    const state = key.revokedAt ? `revoked ${day(key.revokedAt)}` : 'in use';
    process.stdout.write(`${key._id}  ${day(key.createdAt)}  ${state.padEnd(18)}  ${key.name}\n`);
  }
  return true;
}

export async function revokeKey(database: Database, ledger: LedgerWriter, id: string): Promise<boolean> {
  await ledger.record({ kind: 'key-revoked', key: id });
  const isRevoked = await new AgentKeyStore(database.db).revoke(id);
  process.stdout.write(isRevoked ? `Key ${id} is revoked.\n` : `There is no key ${id} in use.\n`);
  return isRevoked;
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}
