import type { Value } from '../index-file.ts';
import type { PostIndex } from '../post-table.ts';

/** So many matches are sorted at once; more would keep other questions waiting. */
export const SORTED = 20_000;

export interface Condition {
  sql: string;
  values: Value[];
}

/** Where the time of a row stands: as milliseconds, or within its rank. */
export type TimeColumn = 'post.at' | 'post.rank' | 'search.rowid';

/** What one filter, or one part of a question, asks, in the terms of the index. */
export interface Clause {
  /** As a test of one row of `post`; never null. */
  test(time: TimeColumn): Condition;
  /** The same as a full-text expression, where the full text can tell. */
  match?: string;
  /** The same the other way round: matches are those that the full text does not find by this. Never beside `match`. */
  except?: string;
  /** `match` or `except` with texts too short for a trigram in it, until others stand for these (`short-texts.ts`). */
  unresolved?: { match: Expression } | { except: Expression };
  /** Bounds the time and nothing else: a walk by time begins or ends there. */
  isTime?: true;
  /** The first moment that passes, or the first that does not any more; milliseconds since 1970, a whole day. */
  since?: number;
  until?: number;
  /** The index of `post` in which exactly these posts stand by time. Without one the full text is asked, if it can tell. */
  index?: PostIndex;
  /** There are so few in that index that walking it beats asking the full text. */
  isFew?: true;
  /** Tests what every index by a key to sort by holds, so that no row has to be read. */
  isCovered?: true;
  /** The index that tells this and what is covered, in whatever order. */
  told?: PostIndex;
  counted?: Counted;
}

/** A question to the full text: as it is written there, or of parts; what is found by `all` and not by `but`. */
export type Expression = string | Short | { any: Expression[] } | { all: Expression[]; but: Expression[] };

/** A text too short for a trigram: those that begin with it may stand for it, in these columns of the full text. */
export interface Short {
  needle: string;
  columns: string;
}

/** Posts counted as they come and go, and which of these counts are meant. */
export interface Counted {
  table: 'category' | 'kind' | 'day' | 'piece';
  where: Condition;
}

/** A part of a question, or that it must not hold: null holds of no post, undefined of all. */
interface Literal {
  clause: Clause | null | undefined;
  isNegated: boolean;
}

/** Posts for which one of these holds at least: null where none can be, undefined where all are. */
export function anyOf(literals: readonly Literal[]): Clause | null | undefined {
  if (literals.some(({ clause, isNegated }) => clause === (isNegated ? null : undefined))) return undefined;
  const held = literals.flatMap(({ clause, isNegated }) => (clause && !isNegated ? [clause] : []));
  const ruledOut = literals.flatMap(({ clause, isNegated }) => (clause && isNegated ? [clause] : []));
  const [first, second] = [...held, ...ruledOut];
  if (!first) return null;
  if (!second && ruledOut.length === 0) return first;
  const counted = countedAny(held, ruledOut);
  return {
    test(time) {
      const tests = [...held.map((clause) => clause.test(time)), ...ruledOut.map((clause) => not(clause.test(time)))];
      return orOf(tests);
    },
    ...unresolvedAny(held, ruledOut),
    ...([...held, ...ruledOut].every(({ isCovered }) => isCovered) && { isCovered: true as const }),
    ...([...held, ...ruledOut].every(({ isTime }) => isTime) && { isTime: true as const }),
    ...(counted && { counted }),
  };
}

/** What is neither held by one nor kept off by another: those that all of `ruledOut` are found by, and none of `held`. */
function unresolvedAny(held: Clause[], ruledOut: Clause[]): Pick<Clause, 'match' | 'except' | 'unresolved'> {
  const [any, all] = [held.map(expressionOf), ruledOut.map(expressionOf)];
  if (!areAll(any) || !areAll(all)) return {};
  return { unresolved: ruledOut.length === 0 ? { match: { any } } : { except: { all, but: any } } };
}

function areAll(expressions: (Expression | undefined)[]): expressions is Expression[] {
  return expressions.every((expression) => expression !== undefined);
}

/** How the full text is asked for it. */
function expressionOf({ match, unresolved }: Clause): Expression | undefined {
  return match ?? (unresolved && 'match' in unresolved ? unresolved.match : undefined);
}

/** Where counts of category and traits alone tell it. */
function countedAny(held: Clause[], ruledOut: Clause[]): Counted | undefined {
  const where: Condition[] = [];
  for (const clause of [...held, ...ruledOut]) {
    if (clause.counted?.table !== 'category' && clause.counted?.table !== 'kind') return undefined;
    where.push(held.includes(clause) ? clause.counted.where : not(clause.counted.where));
  }
  return { table: 'kind', where: orOf(where) };
}

function not({ sql, values }: Condition): Condition {
  return { sql: `NOT (${sql})`, values };
}

function orOf(conditions: readonly Condition[]): Condition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
    values: conditions.flatMap(({ values }) => values),
  };
}

export function condition(sql: string, ...values: Value[]): Condition {
  return { sql, values };
}

/** A text as the full text is asked for it. */
export function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
