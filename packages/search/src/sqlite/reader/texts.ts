import { foldText, handlePart, type Match, MOST_WORDS, wordsOf } from '@archive/contracts';
import { END } from '../post-table.ts';
import { anyOf, type Clause, condition, quote } from './clause.ts';

/** Where a text is looked for: as columns of the full text, and in a row of `post`. */
const PLACES = {
  // The category's column and those beside it hold control characters that no text can ask for.
  any: { columns: '', fields: ['post.content', 'post.names'] },
  content: { columns: 'content : ', fields: ['post.content'] },
  names: { columns: '{author handle} : ', fields: ['post.names'] },
  handle: { columns: 'handle : ', fields: ['substr(post.names, instr(post.names, char(1)))'] },
};

/** Posts hold none of these (they are stripped on the way in), so text with one matches nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NEVER_STORED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Posts that hold a text anywhere; of `@x` content that holds it, or handles that hold x. Null where none can. */
export function holdsText(text: string): Clause | null {
  const needle = foldText(text);
  const part = handlePart(needle);
  if (part === undefined) return holds(needle, 'any');
  const [inHandle, inContent] = [holds(part, 'handle'), holds(needle, 'content')];
  return anyOf([inHandle, inContent].map((clause) => ({ clause, isNegated: false }))) ?? null;
}

/** The same of a text as it is meant: whole, or word by word. */
export function holdsMatch(text: string, match: Match = 'exact'): (Clause | null)[] {
  const words = match === 'exact' ? [] : wordsOf(text);
  if (words.length < 2) return [holdsText(words[0] ?? text)];
  const each = words.map(holdsText);
  const any = (clauses: (Clause | null)[]) => anyOf(clauses.map((clause) => ({ clause, isNegated: false }))) ?? null;
  if (match === 'words') return each;
  return match === 'most' ? pairsOf(each.slice(0, MOST_WORDS)).map(any) : [any(each)];
}

/** At most one of some is missing where of every two at least one is there. */
function pairsOf<T>(all: readonly T[]): [T, T][] {
  return all.flatMap((one, at) => all.slice(at + 1).map((other): [T, T] => [one, other]));
}

export function holdsName(text: string): Clause | null {
  const needle = foldText(text);
  const part = handlePart(needle);
  const clause = part === undefined ? holds(needle, 'names') : holds(part, 'handle');
  // Names repeat so much that nearly every pair in them is common, and the vocabulary does not tell columns apart.
  if (clause) delete clause.unresolved;
  return clause;
}

export function holdsContent(text: string): Clause | null {
  return holds(foldText(text), 'content');
}

/** The author's handle, whole, as the full text tells it. */
export function isHandle(folded: string): string {
  return `(handle : ^ ${quote(folded + END)})`;
}

/** Null where no post can hold it. */
function holds(needle: string, place: keyof typeof PLACES): Clause | null {
  if (NEVER_STORED.test(needle) || !needle.isWellFormed()) return null;
  const { columns, fields } = PLACES[place];
  const tests = fields.map((field) => `instr(${field}, ?) > 0`).join(' OR ');
  const test = condition(fields.length > 1 ? `(${tests})` : tests, ...fields.map(() => needle));
  const isLong = Array.from(needle.slice(0, 6)).length >= 3;
  if (isLong) return { test: () => test, match: `(${columns}${quote(needle)})` };
  return {
    test: () => test,
    unresolved: { match: { needle, columns } },
    ...(place === 'any' && {
      counted: { table: 'piece' as const, where: condition('text = ?', needle) },
    }),
  };
}
