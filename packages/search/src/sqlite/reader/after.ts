import type { ArchiveSort } from '@archive/contracts';
import type { ListQuestion, Mark } from '../../archive-index.ts';
import type { Value } from '../index-file.ts';
import { type Clause, condition } from './clause.ts';
import { KEY_INDEXES } from './page.ts';
import type { Statements } from './statements.ts';
import { KEYS } from './walk.ts';

/** Where a page begins: after a post, as clauses besides those of the question, or at an offset. */
export interface PageStart {
  clauses: Clause[];
  offset: number;
}

/** Returns where a page begins. With a cursor, writes before the page do not shift it. */
export function startOf(file: Statements, { sort, offset, after }: ListQuestion): PageStart {
  if (!after) return { clauses: [], offset };
  const key = after.key ?? keyOf(file, sort, after.oid);
  // The post was removed, and its text key with it. So one post fewer was passed.
  if (key === undefined) return { clauses: [], offset: after.passed - 1 };
  const clauses = [beyond(sort, key, after.oid)];
  if (sort.sortBy === 'timestamp') clauses.unshift(within(file, sort, key as number));
  return { clauses, offset: 0 };
}

/** The cursor after a page. Null if the page is not full, because then none follows. */
export function lastOf(file: Statements, question: ListQuestion, oids: Uint8Array[]): Mark | null {
  const oid = oids.at(-1);
  if (!oid || oids.length < question.limit) return null;
  const key = keyOf(file, question.sort, oid);
  const passed = (question.after?.passed ?? question.offset) + oids.length;
  return { oid, key: typeof key === 'number' ? key : null, passed };
}

function keyOf(file: Statements, { sortBy }: ArchiveSort, oid: Uint8Array): Value | undefined {
  return file.all<{ key: Value }>(`SELECT ${KEYS[sortBy]} AS key FROM post WHERE oid = ?`, oid)[0]?.key;
}

function beyond({ sortBy, sortOrder }: ArchiveSort, value: Value, oid: Uint8Array): Clause {
  const key = KEYS[sortBy];
  const operator = sortOrder === 'asc' ? '>' : '<';
  // The bound is stated twice, because SQLite finds no start in an index for a condition that begins with OR.
  const sql = `(${key} ${operator}= ? AND (${key} ${operator} ? OR post.oid > ?))`;
  return { test: () => condition(sql, value, value, oid), told: KEY_INDEXES[sortBy] };
}

/** The bound on the time alone, which the full text can test. */
function within(file: Statements, { sortOrder }: ArchiveSort, at: number): Clause {
  const [operator, time] = sortOrder === 'asc' ? ['>=', at] : ['<', at + 1];
  const rank = file.rankFrom(time as number);
  return {
    test: (column) => condition(`${column} ${operator} ?`, column === 'post.at' ? (time as number) : rank),
    isTime: true,
    isCovered: true,
  };
}
