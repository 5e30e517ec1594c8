import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError } from 'commander';
import { AuditStore, type LogFilter } from '../audit/audit-store.ts';
import type { Database } from '../db/database.ts';
import { writeLog } from '../operators/read-log.ts';

export type LogOptions = LogFilter & { limit: number };

export async function showLog({ db }: Database, { limit, ...filter }: LogOptions): Promise<boolean> {
  for (const entry of await new AuditStore(db).list(filter, limit)) {
    const { _id, at, actor, act, subject, before, after, reason } = entry;
    const change = [before, after].map((state) => JSON.stringify(state ?? null)).join(' → ');
    const who = actor.id ? `${actor.kind} ${actor.id}` : actor.kind;
    const parts = [
      _id,
      at.toISOString(),
      who,
      act,
      `${subject.kind} ${subject.id}`,
      change,
      ...(reason ? [reason] : []),
    ];
    process.stdout.write(`${parts.join('  ')}\n`);
  }
  return true;
}

export async function exportLogFile({ db }: Database, file: string | undefined): Promise<boolean> {
  const lines = Readable.from(writeLog({ store: new AuditStore(db) }));
  if (file) await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  else await pipeline(lines, process.stdout, { end: false });
  return true;
}

export function readInstant(text: string): Date {
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? new Date(text) : null;
  if (!at || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('it takes a day, 2026-01-31, or an instant, 2026-01-31T12:00:00Z.');
  return at;
}

export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('it takes a number from 1 to 999999.');
  return Number(text);
}
