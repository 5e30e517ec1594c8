import { type AnswerOf, LOG_PAGE_SIZE, type LogEntry } from '@archive/contracts';
import type { AuditEntry, AuditState } from '../audit/audit-entry.ts';
import type { LogFilter } from '../audit/audit-store.ts';
import type { Base } from '../base.ts';

type Needs = Pick<Base, 'audit'>;

/** A page of the audit log, latest first. */
export async function listLog(
  { audit }: Needs,
  { before, ...filter }: LogFilter & { before?: number | undefined },
): Promise<AnswerOf<'listLog'>> {
  const found = await audit.store.list(filter, LOG_PAGE_SIZE + 1, before);
  const shown = found.slice(0, LOG_PAGE_SIZE);
  const last = shown.at(-1);
  return { data: shown.map(toLogEntry), next: last && found.length > shown.length ? String(last._id) : null };
}

/** Lines of NDJSON, oldest first, with the marks, so that a holder of the key can verify them. */
export async function* writeLog(
  { store }: Pick<Base['audit'], 'store'>,
  filter: LogFilter = {},
): AsyncIterable<string> {
  for await (const { _id, previous, mark, ...entry } of store.walk(filter)) {
    yield `${JSON.stringify({ seq: _id, ...entry, previous, mark })}\n`;
  }
}

function toLogEntry(entry: AuditEntry): LogEntry {
  const { _id, at, actor, act, subject, before, after, reason, requestId, previous } = entry;
  return {
    seq: _id,
    at: at.toISOString(),
    actor: { kind: actor.kind, id: actor.id ?? null },
    act,
    subject: { kind: subject.kind, id: subject.id },
    before: states(before),
    after: states(after),
    reason: reason ?? null,
    requestId: requestId ?? null,
    previous,
  };
}

function states(state: AuditState | undefined): LogEntry['before'] {
  return (state ?? null) as LogEntry['before'];
}
