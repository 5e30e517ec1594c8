import { KEY_SCOPES } from '@archive/contracts';
import { InvalidArgumentError } from 'commander';
import { type AgentKey, AgentKeyStore, type KeyScope, scopesOf } from '../accounts/agent-key-store.ts';
import { makeKey, revokeKey } from '../accounts/change-keys.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import type { LedgerWriter } from '../ledger/ledger-entry.ts';
import { change } from './operators.ts';

const DAY_MS = 86_400_000;

export interface KeyOptions {
  scopes: KeyScope[];
  /** Days from now, or the end date. */
  expires?: number | Date;
  postsPerMinute?: number;
}

interface Context {
  database: Database;
  ledger: LedgerWriter;
  audit: Audit;
}

const BY = { actor: { kind: 'command line' } } as const;

export async function createKey(context: Context, name: string, options: KeyOptions): Promise<boolean> {
  const { expires, ...others } = options;
  const now = context.database.clock.now().getTime();
  const expiresAt = typeof expires === 'number' ? new Date(now + expires * DAY_MS) : expires;
  const { id, key } = await makeKey(needsOf(context), { name, ...others, ...(expiresAt && { expiresAt }) }, BY);
  process.stderr.write(`Key ${id} for ${name}. It is shown this once; only its hash is kept.\n`);
  process.stdout.write(`${key}\n`);
  return true;
}

export async function listKeys(database: Database): Promise<boolean> {
  const keys = await new AgentKeyStore(database.db).list();
  if (keys.length === 0) process.stderr.write('There are no keys yet.\n');
  for (const key of keys) {
    const may = [...scopesOf(key), ...(key.postsPerMinute ? [`${key.postsPerMinute} posts a minute`] : [])].join(', ');
    const state = stateOf(key, database.clock.now()).padEnd(18);
    process.stdout.write(`${key._id}  ${day(key.createdAt)}  ${state}  ${may.padEnd(14)}  ${key.name}\n`);
  }
  return true;
}

export function endKey(context: Context, id: string): Promise<boolean> {
  return change(async (by) => {
    await revokeKey(needsOf(context), id, by);
    return `Key ${id} is revoked.`;
  }, {});
}

function needsOf({ database, ledger, audit }: Context) {
  return { ledger, audit, accounts: { agentKeys: new AgentKeyStore(database.db) } };
}

export function readScopes(text: string): KeyScope[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const isScope = (scope: string): scope is KeyScope => KEY_SCOPES.some((one) => one === scope);
  if (!scopes.every(isScope)) throw new InvalidArgumentError(`it takes ${KEY_SCOPES.join(' and ')}.`);
  return [...new Set(scopes)];
}

export function readExpiry(text: string): number | Date {
  const days = /^([1-9]\d{0,3})d$/.exec(text)?.[1];
  if (days) return Number(days);
  const end = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : null;
  if (!end || !(end.getTime() > Date.now()))
    throw new InvalidArgumentError('it takes 30d, or a day to come: 2027-01-31.');
  return end;
}

export function readPostsPerMinute(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('it takes a number from 1 to 999999.');
  return Number(text);
}

function stateOf({ revokedAt, expiresAt }: AgentKey, now: Date): string {
  if (revokedAt) return `revoked ${day(revokedAt)}`;
  if (!expiresAt) return 'in use';
  return expiresAt > now ? `until ${day(expiresAt)}` : `expired ${day(expiresAt)}`;
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}
