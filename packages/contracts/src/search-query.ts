import { cutCodePoints, cutFilterText, isDay } from './archive-query.ts';
import { CATEGORIES, type Category } from './categories.ts';
import { isLanguageTag, readLanguage } from './languages.ts';
import { HANDLE_LENGTH, QUERY_LENGTH, QUERY_TERMS } from './limits.ts';
import { PLATFORMS, type Platform } from './platforms.ts';

export const HAS_VALUES = ['image', 'video', 'media', 'link', 'quote', 'thread'] as const;
export type HasValue = (typeof HAS_VALUES)[number];

export const IS_VALUES = ['featured', 'launched', 'deleted'] as const;
export type IsValue = (typeof IS_VALUES)[number];

/** The condition of one term on a post. */
export type Asked =
  /** The text occurs in content, author or handle. `@x` occurs in the content, or `x` in the handle. */
  | { by: 'text'; text: string; isQuoted: boolean }
  | { by: 'from'; handle: string }
  | { by: 'since' | 'until'; day: string }
  | { by: 'category'; category: Category }
  | { by: 'lang'; tag: string }
  | { by: 'platform'; platform: Platform }
  | { by: 'has'; what: HasValue }
  | { by: 'is'; what: IsValue }
  /** `>` with -1 matches every post. */
  | { by: 'reactions'; than: '>' | '<'; count: number }
  /** `<`: saved within this time before now; `>`: saved earlier. */
  | { by: 'saved'; than: '<' | '>'; amount: number; unit: keyof typeof HOURS };

export type Operator = Exclude<Asked['by'], 'text'>;

/** A range of the words, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

export interface Term extends Span {
  asked: Asked;
  isNegated: boolean;
}

/** Terms of which at least one must hold. */
export interface Group extends Span {
  terms: Term[];
}

export interface ParsedQuery {
  /** All of them must hold. */
  groups: Group[];
  /** Words that look like an operator but are not a valid one; they are searched as text. */
  notUnderstood: (Span & { text: string })[];
  /** Whether words beyond the limits were ignored. */
  isCut: boolean;
}

export const HOURS = { h: 1, d: 24, w: 168 };

type Reads<N extends Operator> = Asked & { by: N };

/** Parsers of the operators' values; undefined for an invalid value. */
const OPERATORS: { [N in Operator]: (value: string) => Reads<N> | undefined } = {
  from(value) {
    const handle = value.startsWith('@') ? value.slice(1) : value;
    return handle !== '' && handle.length <= HANDLE_LENGTH * 2 ? { by: 'from', handle } : undefined;
  },
  since: (value) => day('since', value),
  until: (value) => day('until', value),
  category(value) {
    const category = oneOf(CATEGORIES, value);
    return category && { by: 'category', category };
  },
  lang(value) {
    const tag = isLanguageTag(value) ? value : readLanguage(value);
    return tag === null ? undefined : { by: 'lang', tag };
  },
  platform(value) {
    const platform = oneOf(PLATFORMS, value);
    return platform && { by: 'platform', platform };
  },
  has(value) {
    const what = oneOf(HAS_VALUES, value);
    return what && { by: 'has', what };
  },
  is(value) {
    const what = oneOf(IS_VALUES, value);
    return what && { by: 'is', what };
  },
  reactions(value) {
    const [, than = '', equal = '', count = ''] = /^([<>])(=?)([0-9]{1,9})$/.exec(value) ?? [];
    if (than === '>') return { by: 'reactions', than, count: Number(count) - equal.length };
    return than === '<' ? { by: 'reactions', than, count: Number(count) + equal.length } : undefined;
  },
  saved(value) {
    const [, than, amount = '', unit] = /^([<>])([0-9]{1,5})([hdw])$/.exec(value.toLowerCase()) ?? [];
    if (!than) return undefined;
    return { by: 'saved', than: than as '<' | '>', amount: Number(amount), unit: unit as keyof typeof HOURS };
  },
};

export function isOperatorName(name: string): boolean {
  return Object.hasOwn(OPERATORS, name.toLowerCase());
}

/** The value as a day. Of a month or a year (`2016-02`, `2016`) it is the first day (`since`) or the last (`until`). */
function day<N extends 'since' | 'until'>(by: N, value: string): { by: N; day: string } | undefined {
  const [, year, month] = /^([0-9]{4})(?:-([0-9]{2}))?$/.exec(value) ?? [];
  if (year === undefined) return isDay(value) ? { by, day: value } : undefined;
  const first = `${year}-${month ?? (by === 'since' ? '01' : '12')}-01`;
  if (!isDay(first)) return undefined;
  return { by, day: by === 'since' ? first : lastOfMonth(first) };
}

function lastOfMonth(first: string): string {
  const date = new Date(first);
  // Not `Date.UTC`, which maps the years 0 to 99 to 1900 to 1999.
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.toISOString().slice(0, 10);
}

function oneOf<T extends string>(values: readonly T[], value: string): T | undefined {
  return values.find((one) => one === value.toLowerCase());
}

/** Characters that separate words: white space, controls, and invisible marks of direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SPACE = /[\s\u0000-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/;
const CLOSING: Record<string, RegExp> = { '"': /"/g, '“': /[”“]/g };
const OPERATOR = /^([A-Za-z]{2,20}):(?!\/\/)(.*)$/s;

interface Token extends Span {
  text: string;
  isNegated: boolean;
  isQuoted: boolean;
}

/**
 * Parses the words of the search box. Every text is valid: what is not an operator is text. Terms separated by spaces
 * must all hold. `OR` between two terms binds tighter.
 */
export function parseQuery(words: string): ParsedQuery {
  const cut = cutCodePoints(words, QUERY_LENGTH);
  const tokens = tokensOf(cut);
  const groups: Group[] = [];
  const notUnderstood: ParsedQuery['notUnderstood'] = [];
  let terms = 0;
  let isJoined = false;
  let isCut = cut.length < words.length;
  for (const [at, token] of tokens.entries()) {
    if (isOr(token) && isTerm(tokens[at - 1]) && isTerm(tokens[at + 1])) {
      isJoined = true;
      continue;
    }
    if (terms === QUERY_TERMS) {
      isCut = true;
      break;
    }
    terms++;
    const { start, end, text, isNegated, isQuoted } = token;
    const operator = isQuoted ? undefined : readOperator(text);
    if (operator === null || isOr(token)) notUnderstood.push({ text, start, end });
    const asked = operator ?? { by: 'text', text: cutFilterText(text), isQuoted };
    const group = isJoined ? groups.at(-1) : undefined;
    if (group) {
      group.terms.push({ asked, isNegated, start, end });
      group.end = end;
    } else groups.push({ terms: [{ asked, isNegated, start, end }], start, end });
    isJoined = false;
  }
  return { groups, notUnderstood, isCut };
}

function isTerm(token: Token | undefined): boolean {
  return token !== undefined && !isOr(token);
}

function isOr({ text, isQuoted, isNegated }: Token): boolean {
  return text === 'OR' && !isQuoted && !isNegated;
}

/** Null if the text looks like an operator but is not a valid one; undefined if it is plain text. */
function readOperator(text: string): Asked | null | undefined {
  const [, name, value = ''] = OPERATOR.exec(text) ?? [];
  if (name === undefined) return undefined;
  if (!isOperatorName(name)) return null;
  return OPERATORS[name.toLowerCase() as Operator](unquote(value)) ?? null;
}

function unquote(value: string): string {
  return /^"[^"]*"?$/.test(value) ? value.replaceAll('"', '').trim() : value;
}

function tokensOf(words: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < words.length; ) {
    if (isSpace(words[at])) {
      at++;
      continue;
    }
    const start = at;
    const isNegated = words[at] === '-' && at + 1 < words.length && !isSpace(words[at + 1]);
    if (isNegated) at++;
    const closing = CLOSING[words[at] as string];
    if (closing) {
      closing.lastIndex = at + 1;
      // An unclosed quotation extends to the end, because the visitor may still be typing.
      const close = closing.exec(words)?.index ?? words.length;
      const text = trim(words.slice(at + 1, close));
      at = close + 1;
      if (text !== '') tokens.push({ text, isNegated, isQuoted: true, start, end: Math.min(at, words.length) });
      continue;
    }
    const from = at;
    const isValueQuoted = /^[A-Za-z]{2,20}:"/.exec(words.slice(at, at + 22));
    if (isValueQuoted) at = words.indexOf('"', at + isValueQuoted[0].length) + 1 || words.length;
    while (at < words.length && !isSpace(words[at])) at++;
    tokens.push({ text: words.slice(from, at), isNegated, isQuoted: false, start, end: at });
  }
  return tokens;
}

function isSpace(unit: string | undefined): boolean {
  return unit !== undefined && SPACE.test(unit);
}

function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}
