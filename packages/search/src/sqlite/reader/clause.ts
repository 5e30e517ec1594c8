import type { Value } from '../index-file.ts';
import type { PostIndex } from '../post-table.ts';

/** Most matches that are sorted at once. More would delay other questions. */
export const SORTED = 20_000;

export interface Condition {
  sql: string;
  values: Value[];
}

/** The column that gives a row's time: in milliseconds, or as a rank. */
export type TimeColumn = 'post.at' | 'post.rank' | 'search.rowid';

/** One filter, or one part of a question, in terms of the index file. */
export interface Clause {
  /** A test of one row of `post`. Its SQL value is never NULL. */
  test(time: TimeColumn): Condition;
  /** The same as a full-text expression, if the full text can decide it. */
  match?: string;
  /**
   * The inverse: the matches are the posts that the full text does not find by this. Never set together with `match`.
   */
  except?: string;
  /** `match` or `except` with texts too short for a trigram, until `short-texts.ts` replaces these by trigrams. */
  unresolved?: { match: Expression } | { except: Expression };
  /** The clause bounds the time and nothing else, so that a walk by time can begin or end there. */
  isTime?: true;
  /**
   * The first moment that matches (`since`), and the first that no longer matches (`until`). Milliseconds since 1970,
   * at the start of a day.
   */
  since?: number;
  until?: number;
  /** An index of `post` that holds these posts together, so few that walking it is faster than asking the full text. */
  few?: PostIndex;
  /** Every sort index holds the tested columns, so that no row has to be read. */
  isCovered?: true;
  /** An index whose columns decide this clause and the covered ones, in any order. */
  told?: PostIndex;
  counted?: Counted;
}

/**
 * A question to the full text: an FTS5 expression, a short text, or a combination. The last form finds what all of
 * `all` find and none of `but` finds.
 */
export type Expression = string | Short | { any: Expression[] } | { all: Expression[]; but: Expression[] };

/** A text too short for a trigram. Trigrams that begin with it replace it, in these columns of the full text. */
export interface Short {
  needle: string;
  columns: string;
}

/** A table of kept counts, and the rows of it that are meant. */
export interface Counted {
  table: 'category' | 'kind' | 'day' | 'piece' | 'author';
  where: Condition;
}

/** A clause or its negation. A null clause matches no post, an undefined one matches all. */
interface Literal {
  clause: Clause | null | undefined;
  isNegated: boolean;
}

/** Posts that satisfy at least one of the literals. Null if none can, undefined if all do. */
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

/**
 * The literals as one full-text question. With negated clauses it is the inverse: the posts that all of `ruledOut`
 * match and none of `held` matches.
 */
function unresolvedAny(held: Clause[], ruledOut: Clause[]): Pick<Clause, 'match' | 'except' | 'unresolved'> {
  const [any, all] = [held.map(expressionOf), ruledOut.map(expressionOf)];
  if (!areAll(any) || !areAll(all)) return {};
  return { unresolved: ruledOut.length === 0 ? { match: { any } } : { except: { all, but: any } } };
}

function areAll(expressions: (Expression | undefined)[]): expressions is Expression[] {
  return expressions.every((expression) => expression !== undefined);
}

/** The clause as a full-text expression; undefined if the full text cannot decide it. */
function expressionOf({ match, unresolved }: Clause): Expression | undefined {
  return match ?? (unresolved && 'match' in unresolved ? unresolved.match : undefined);
}

/** The counts of the literals, if counts by category and traits decide all of them. */
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

/** A text as an FTS5 string. */
export function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
