import { type ArchiveFilter, CATEGORIES, foldText } from '@archive/contracts';
import type { Value } from './index-file.ts';
import { categoryToken, RANK_BITS } from './schema.ts';

export type TextScope = 'search' | 'author' | 'content';

export interface TextCondition {
  scope: TextScope;
  /** Folded. */
  needle: string;
}

/** A filter in the terms of the index. */
export interface FilterPlan {
  /** Three code points and more: the trigram index answers these. */
  long: TextCondition[];
  /** One or two code points: too short for a trigram. */
  short: TextCondition[];
  category: number | null;
  /** Id of the one author asked for; `null` where none is, -1 where nobody has that handle. */
  author: number | null;
  /** Milliseconds since 1970, from inclusive, to exclusive. */
  from: number | null;
  to: number | null;
  /** No post can match, whatever the archive holds. */
  isImpossible: boolean;
}

export interface Condition {
  sql: string;
  values: Value[];
}

const DAY_MS = 86_400_000;

/** Posts hold none of these (they are stripped on the way in), so text with one matches nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NEVER_STORED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

export function planFilter(filter: ArchiveFilter, findAuthor: (handle: string) => number | undefined): FilterPlan {
  const texts: TextCondition[] = [];
  for (const scope of ['search', 'author', 'content'] as const) {
    const text = filter[scope];
    if (text) texts.push({ scope, needle: foldText(text) });
  }
  const author = filter.handle ? (findAuthor(foldText(filter.handle)) ?? -1) : null;
  const isLong = (text: TextCondition) => Array.from(text.needle.slice(0, 6)).length >= 3;
  return {
    long: texts.filter(isLong),
    short: texts.filter((text) => !isLong(text)),
    category: filter.category ? CATEGORIES.indexOf(filter.category) : null,
    author,
    from: filter.startDate ? Date.parse(filter.startDate) : null,
    to: filter.endDate ? Date.parse(filter.endDate) + DAY_MS : null,
    isImpossible: author === -1 || texts.some(({ needle }) => NEVER_STORED.test(needle) || !needle.isWellFormed()),
  };
}

/** The plan as a full-text expression over `search`; the dates and the author are not part of it. */
export function matchExpression(
  plan: FilterPlan,
  alternatives: ReadonlyMap<TextCondition, string[]> = new Map(),
): string {
  const parts = plan.long.map((text) => `(${column(text.scope)}${quote(text.needle)})`);
  for (const [text, trigrams] of alternatives) {
    parts.push(`(${column(text.scope)}(${trigrams.map(quote).join(' OR ')}))`);
  }
  if (plan.category !== null) parts.push(`(category : ${quote(categoryToken(plan.category))})`);
  return parts.join(' AND ');
}

/** Text conditions as substring tests on `post`. */
export function textConditions(texts: readonly TextCondition[]): Condition[] {
  return texts.map(({ scope, needle }) => {
    if (scope === 'content') return { sql: 'instr(post.content, ?) > 0', values: [needle] };
    if (scope === 'author') return { sql: 'instr(post.names, ?) > 0', values: [needle] };
    return { sql: '(instr(post.content, ?) > 0 OR instr(post.names, ?) > 0)', values: [needle, needle] };
  });
}

/** The dates as bounds of `post.at`, of `post.rank` or of `search.rowid`. */
export function dateConditions(plan: FilterPlan, by: 'post.at' | 'post.rank' | 'search.rowid'): Condition[] {
  const bound = (time: number) => (by === 'post.at' ? time : BigInt(time) << RANK_BITS);
  const conditions: Condition[] = [];
  if (plan.from !== null) conditions.push({ sql: `${by} >= ?`, values: [bound(plan.from)] });
  if (plan.to !== null) conditions.push({ sql: `${by} < ?`, values: [bound(plan.to)] });
  return conditions;
}

export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return { sql: '1', values: [] };
  return {
    sql: conditions.map((condition) => condition.sql).join(' AND '),
    values: conditions.flatMap((condition) => condition.values),
  };
}

function column(scope: TextScope): string {
  if (scope === 'content') return 'content : ';
  // The category's column holds a control character that no text can ask for, so the whole row may be searched.
  return scope === 'author' ? '{author handle} : ' : '';
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
