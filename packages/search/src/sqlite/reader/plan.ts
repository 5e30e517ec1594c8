import { PLATFORMS } from '@archive/contracts';
import type { Question } from '../../question.ts';
import { platformTrait, traitToken } from '../traits.ts';
import { type Clause, type Condition, quote } from './clause.ts';
import { compile } from './compile.ts';
import type { Statements } from './statements.ts';

/** The clauses of a question, all of which must hold; null if no post can match. */
export type Plan = Clause[] | null;

/** The rows to read, and the conditions on them. */
export interface Source {
  from: string;
  /** Conditions that the walked index decides. */
  where: Condition[];
  /** Conditions that need the row itself. */
  tests: Condition[];
}

export function planFor(parts: readonly Question[], file: Statements): Plan {
  const clauses: Clause[] = [];
  for (const part of parts) {
    const clause = compile(part, file);
    if (clause === null) return null;
    if (clause !== undefined) clauses.push(clause);
  }
  return clauses;
}

/** Whether the matches are found through the full text. */
export function asksFullText(clauses: Clause[]): boolean {
  return clauses.some(({ match, except }) => match || except) && !clauses.some(({ few }) => few);
}

/** Whether the full text alone decides the question. */
export function isFullTextAlone(clauses: Clause[]): boolean {
  return asksFullText(clauses) && clauses.every(({ match, except, isTime }) => match || except || isTime);
}

/** Matches every post, because each post has one platform. FTS5 needs an expression before NOT. */
const EVERYTHING = `(${PLATFORMS.flatMap((platform) => platformTrait(platform).values)
  .map((value) => quote(traitToken(value)))
  .join(' OR ')})`;

/** Conditions on the rows of `search`: all clauses that the full text decides. */
export function fullTextWhere(clauses: Clause[]): Condition[] {
  const match = clauses.flatMap((clause) => clause.match ?? []).join(' AND ') || EVERYTHING;
  const except = clauses.flatMap((clause) => clause.except ?? []).join(' OR ');
  const asked = except ? `(${match}) NOT (${except})` : match;
  const times = clauses.filter(({ isTime }) => isTime);
  return [{ sql: 'search MATCH ?', values: [asked] }, ...times.map((clause) => clause.test('search.rowid'))];
}

/** The clauses that the full text does not decide, as tests of `post`. */
export function beyondFullText(clauses: Clause[]): Condition[] {
  return clauses
    .filter(({ match, except, isTime }) => !match && !except && !isTime)
    .map((clause) => clause.test('post.at'));
}

/** The fastest source of the matches, in any order. */
export function fastestSource(clauses: Clause[]): Source {
  if (!asksFullText(clauses)) return byTime(clauses);
  return {
    from: 'search CROSS JOIN post ON post.rank = search.rowid',
    where: fullTextWhere(clauses),
    tests: beyondFullText(clauses),
  };
}

/** The matches in order of time: walks an index that holds them and tests every post in it. */
export function byTime(clauses: Clause[]): Source {
  const lead = clauses.find(({ few }) => few);
  const isTold = (clause: Clause) => clause.isCovered || clause === lead;
  const test = (some: Clause[]) => some.map((clause) => clause.test('post.at'));
  return {
    from: `post INDEXED BY ${lead?.few ?? 'post_time'}`,
    where: test(clauses.filter(isTold)),
    tests: test(clauses.filter((clause) => !isTold(clause))),
  };
}

export function conditionsOf({ where, tests }: Source): Condition[] {
  return [...where, ...tests];
}

export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return { sql: '1', values: [] };
  return {
    sql: conditions.map((condition) => condition.sql).join(' AND '),
    values: conditions.flatMap((condition) => condition.values),
  };
}
