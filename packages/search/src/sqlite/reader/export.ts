import type { ArchiveSort } from '@archive/contracts';
import type { Value } from '../index-file.ts';
import { type Clause, type Condition, SORTED } from './clause.ts';
import { byKey, orderBy } from './page.ts';
import { allOf, asksFullText, byTime, conditionsOf, fastestSource, type Plan, type Source } from './plan.ts';
import type { Statements } from './statements.ts';
import { KEYS, pageOf, walkMatches, walkOrder } from './walk.ts';

/** Posts per chunk. */
const CHUNK = 1_000;

/** The last post of a chunk; the next chunk begins after it. */
interface Last {
  oid: Uint8Array;
  key: Value;
}

/**
 * Every match in order. Each chunk is a separate question that continues after the last post of the previous chunk. So
 * a slow client holds no snapshot of the file, and memory holds no more than a chunk. A post that matches throughout
 * the export occurs exactly once; a post that is added or removed meanwhile may or may not occur.
 */
export function* exportAll(file: Statements, clauses: Plan, sort: ArchiveSort): Generator<Uint8Array[]> {
  if (!clauses) return;
  const few = sort.sortBy === 'timestamp' || clauses.length === 0 ? null : sortFew(file, clauses, sort);
  if (few) {
    for (let at = 0; at < few.length; at += CHUNK) yield few.slice(at, at + CHUNK);
    return;
  }
  for (let last: Last | null = null; ; ) {
    const { oids, end } = file.atOneMoment(() => nextChunk(file, clauses, sort, last));
    if (oids.length > 0) yield oids;
    if (!end) return;
    last = end;
  }
}

function nextChunk(file: Statements, clauses: Clause[], sort: ArchiveSort, last: Last | null) {
  const rest = last ? restOfGroup(file, clauses, sort, last) : [];
  const oids = rest.length < CHUNK ? [...rest, ...beyond(file, clauses, sort, last, CHUNK - rest.length)] : rest;
  const oid = oids.length < CHUNK ? undefined : oids.at(-1);
  const end: Last | undefined = oid && {
    oid,
    key: file.all<{ key: Value }>(`SELECT ${KEYS[sort.sortBy]} AS key FROM post WHERE oid = ?`, oid)[0]?.key ?? null,
  };
  return { oids, end };
}

/** Posts after the last one that have the same key. */
function restOfGroup(file: Statements, clauses: Clause[], sort: ArchiveSort, { oid, key }: Last): Uint8Array[] {
  const source = sourceOf(file, clauses, sort, '=', key);
  const condition = allOf([...conditionsOf(source), { sql: 'post.oid > ?', values: [oid] }]);
  return file
    .all<{ oid: Uint8Array }>(
      `SELECT post.oid AS oid FROM ${source.from} WHERE ${condition.sql} ORDER BY post.oid LIMIT ${CHUNK}`,
      ...condition.values,
    )
    .map((row) => row.oid);
}

/** Posts with keys after that of the last one. */
function beyond(file: Statements, clauses: Clause[], sort: ArchiveSort, last: Last | null, limit: number) {
  const operator = sort.sortOrder === 'asc' ? '>' : '<';
  if (sort.sortBy === 'timestamp' && asksFullText(clauses)) {
    // The cursor's bound precedes the question's own dates: of two bounds, SQLite starts at the first.
    const bounded = last ? [timeClause(file, operator, last.key), ...clauses] : clauses;
    return pageOf(walkMatches(file, bounded, sort.sortOrder), 0, limit);
  }
  const source = last ? sourceOf(file, clauses, sort, operator, last.key) : sourceOf(file, clauses, sort);
  return pageOf(walkOrder(file, source, sort), 0, limit);
}

/** The matches in the order asked for, bounded by a key. */
function sourceOf(
  file: Statements,
  clauses: Clause[],
  sort: ArchiveSort,
  operator?: '<' | '=' | '>',
  key: Value = null,
): Source {
  if (sort.sortBy === 'timestamp') {
    const bounded = operator ? [timeClause(file, operator, key), ...clauses] : clauses;
    return asksFullText(clauses) ? fastestSource(bounded) : byTime(bounded);
  }
  const { from, where, tests } = byKey(clauses, sort.sortBy);
  const bound: Condition[] = operator ? [{ sql: `${KEYS[sort.sortBy]} ${operator} ?`, values: [key] }] : [];
  return { from, where: [...bound, ...where], tests };
}

function timeClause(file: Statements, operator: '<' | '=' | '>', time: Value): Clause {
  const [first, after] = [file.rankFrom(Number(time)), file.rankFrom(Number(time) + 1)];
  const ranks = {
    '<': (column: string) => ({ sql: `${column} < ?`, values: [first] }),
    '=': (column: string) => ({ sql: `${column} >= ? AND ${column} < ?`, values: [first, after] }),
    '>': (column: string) => ({ sql: `${column} >= ?`, values: [after] }),
  };
  return {
    isTime: true,
    isCovered: true,
    test: (column) =>
      column === 'post.at' ? { sql: `${column} ${operator} ?`, values: [time] } : ranks[operator](column),
  };
}

/** All matches in order if they are few; else null. */
function sortFew(file: Statements, clauses: Clause[], sort: ArchiveSort): Uint8Array[] | null {
  const source = fastestSource(clauses);
  const condition = allOf(conditionsOf(source));
  const ranks = file.allBig<{ rank: bigint }>(
    `SELECT post.rank AS rank FROM ${source.from} WHERE ${condition.sql} LIMIT ${SORTED + 1}`,
    ...condition.values,
  );
  if (ranks.length > SORTED) return null;
  return file
    .all<{ oid: Uint8Array }>(
      `SELECT oid FROM post WHERE rank IN (SELECT value FROM json_each(?)) ORDER BY ${orderBy(sort)}`,
      `[${ranks.map(({ rank }) => rank).join()}]`,
    )
    .map((row) => row.oid);
}
