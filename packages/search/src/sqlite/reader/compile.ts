import { CATEGORIES, type Category } from '@archive/contracts';
import { DAY_MS } from '../../figures.ts';
import type { Flag } from '../../indexed-post.ts';
import type { Part, Place, Question } from '../../question.ts';
import { categoryToken, END, type PostIndex } from '../post-table.ts';
import { flagBit, flagToken, languageTrait, mediaTrait, platformTrait, type Trait, traitToken } from '../traits.ts';
import { anyOf, type Clause, type Condition, condition, quote, SORTED } from './clause.ts';
import type { Statements } from './statements.ts';

/** Where a text is looked for: as columns of the full text, and as fields of a row of `post`. */
const PLACES: Record<Place, { columns: string; fields: string[] }> = {
  // The columns of category and traits hold only tokens that no search text can contain.
  anywhere: { columns: '', fields: ['post.content', 'post.names'] },
  content: { columns: 'content : ', fields: ['post.content'] },
  names: { columns: '{author handle} : ', fields: ['post.names'] },
  handle: { columns: 'handle : ', fields: ['substr(post.names, instr(post.names, char(1)))'] },
};

/** Control characters are stripped on input, so a text with one of these matches no post. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NEVER_STORED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Compiles a part of a question for the index file. Null if no post can match, undefined if all do. */
export function compile(question: Question, file: Statements): Clause | null | undefined {
  if ('not' in question) return compile({ any: [question] }, file);
  if (!('any' in question)) return PARTS[question.by](question as never, file);
  const literals = question.any.map((part) => {
    const isNegated = 'not' in part;
    return { clause: compile(isNegated ? part.not : part, file), isNegated };
  });
  return anyOf(literals);
}

const PARTS: { [B in Part['by']]: (part: Extract<Part, { by: B }>, file: Statements) => Clause | null } = {
  text: ({ text, in: place }) => holds(text, place),
  author: ({ handle }, file) => isBy(handle, file),
  since: ({ time }, file) => bound('>=', time, file),
  before: ({ time }, file) => bound('<', time, file),
  category: ({ category }) => isCategory(category),
  media: ({ media }) => trait(mediaTrait(media)),
  platform: ({ platform }) => trait(platformTrait(platform)),
  language: ({ tag }) => trait(languageTrait(tag)),
  flag: ({ flag }) => isFlagged(flag),
  thread: (_, file) => inThread(file),
  reactions: ({ than, value }, file) => inRange('post.reactions', 'post_reactions', than, value, file),
  saved: ({ than, value }, file) => inRange('post.saved_at', 'post_saved', than, value, file),
};

function holds(text: string, place: Place): Clause | null {
  if (NEVER_STORED.test(text) || !text.isWellFormed()) return null;
  const { columns, fields } = PLACES[place];
  const tests = fields.map((field) => `instr(${field}, ?) > 0`).join(' OR ');
  const test = condition(fields.length > 1 ? `(${tests})` : tests, ...fields.map(() => text));
  const isLong = Array.from(text.slice(0, 6)).length >= 3;
  if (isLong) return { test: () => test, match: `(${columns}${quote(text)})` };
  // A short text in names stays a row test: in names nearly every pair is common, and the vocabulary does not
  // distinguish columns.
  if (place === 'names') return { test: () => test };
  return {
    test: () => test,
    unresolved: { match: { needle: text, columns } },
    ...(place === 'anywhere' && { counted: { table: 'piece' as const, where: condition('text = ?', text) } }),
  };
}

function isCategory(name: Category): Clause {
  const category = CATEGORIES.indexOf(name);
  return {
    test: () => condition('post.category = ?', category),
    match: `(category : ${quote(categoryToken(category))})`,
    isCovered: true,
    counted: { table: 'category', where: condition('category = ?', category) },
  };
}

function isBy(handle: string, file: Statements): Clause | null {
  const author = file.first<{ id: number; posts: number }>('SELECT id, posts FROM author WHERE handle = ?', handle);
  if (author === undefined) return null;
  return {
    test: () => condition('post.author = ?', author.id),
    match: `(handle : ^ ${quote(handle + END)})`,
    ...(author.posts <= SORTED && { few: 'post_handle' }),
    counted: { table: 'author', where: condition('id = ?', author.id) },
  };
}

/** A post alone in its thread does not match. */
function inThread(file: Statements): Clause {
  const test = condition(
    `(post.thread IS NOT NULL AND EXISTS
      (SELECT 1 FROM post AS other WHERE other.thread = post.thread AND other.rank <> post.rank))`,
  );
  return { test: () => test, ...fewIn('post_thread', condition('post.thread IS NOT NULL'), file) };
}

/** A range of values in the order of their sort index. */
function inRange(column: string, index: PostIndex, than: '<' | '>', value: number, file: Statements): Clause {
  const test = condition(`${column} ${than} ?`, value);
  return { test: () => test, told: index, ...fewIn(index, test, file) };
}

/** The index, if at most `SORTED` of its entries match. */
function fewIn(index: PostIndex, { sql, values }: Condition, file: Statements): Pick<Clause, 'few'> {
  const [more] = file.all(`SELECT 1 FROM post INDEXED BY ${index} WHERE ${sql} LIMIT 1 OFFSET ${SORTED}`, ...values);
  return more ? {} : { few: index };
}

function isFlagged(name: Flag): Clause {
  const isSet = (column: string) => condition(`${column} & ? <> 0`, flagBit(name));
  return {
    test: () => isSet('post.traits'),
    match: `(flags : ${quote(flagToken(name))})`,
    isCovered: true,
    counted: { table: 'kind', where: isSet('traits') },
  };
}

function trait(asked: Trait | null): Clause | null {
  if (asked === null) return null;
  const { mask, values } = asked;
  const isOne = (column: string) => condition(`(${column} & ?) IN (${values.map(() => '?').join()})`, mask, ...values);
  return {
    test: () => isOne('post.traits'),
    match: `(${values.map((value) => quote(traitToken(value))).join(' OR ')})`,
    isCovered: true,
    counted: { table: 'kind', where: isOne('traits') },
  };
}

/** Posts at or after a time, or before it. `time` is the start of a day, in milliseconds since 1970. */
export function bound(operator: '>=' | '<', time: number, file: Statements): Clause {
  const rank = file.rankFrom(time);
  return {
    test: (column) => condition(`${column} ${operator} ?`, column === 'post.at' ? time : rank),
    isTime: true,
    ...(operator === '>=' ? { since: time } : { until: time }),
    isCovered: true,
    counted: { table: 'day', where: condition(`day ${operator} ?`, time / DAY_MS) },
  };
}
