import {
  type Asked,
  CATEGORIES,
  type FilterName,
  type FilterValue,
  foldText,
  HOURS,
  type Match,
  parseQuery,
  type Term,
} from '@archive/contracts';
import type { Flag } from '../../indexed-post.ts';
import type { Value } from '../index-file.ts';
import { categoryToken, type PostColumn, type PostIndex } from '../post-table.ts';
import { DAY_MS } from '../schema.ts';
import { flagBit, flagToken, languageTrait, mediaTrait, platformTrait, type Trait, traitToken } from '../traits.ts';
import { anyOf, type Clause, type Condition, condition, type Literal, quote } from './clause.ts';
import { holdsContent, holdsMatch, holdsName, holdsText, isHandle } from './texts.ts';

const HOUR_MS = 3_600_000;

/** What a filter may look up. */
export interface Lookup {
  authorId(foldedHandle: string): number | undefined;
  /** The least rank of posts of this time or later; beyond all where there is none. */
  rankFrom(time: number): bigint;
  /** Whether an index holds so few of these that they are found there at once. */
  isFew(index: PostIndex, test: Condition): boolean;
  /** Milliseconds since 1970. */
  now: number;
  /** How texts are meant. */
  match?: Match | undefined;
}

/** All of these must hold: null can hold of no post, undefined holds of all. */
type Asks = Clause | null | undefined | (Clause | null | undefined)[];

/** Each filter once. A row is tested in this order, the cheapest first. */
export const FILTERS: { [N in FilterName]: (value: FilterValue<N>, lookup: Lookup) => Asks } = {
  category: isCategory,
  media: (media) => trait(mediaTrait(media)),
  platform: (platform) => trait(platformTrait(platform)),
  language: (tag) => trait(languageTrait(tag)),
  featured: () => flag('featured'),
  launched: () => flag('launched'),
  handle: (handle, lookup) => isBy(handle, lookup),
  startDate: (day, lookup) => bound('>=', Date.parse(day), lookup),
  endDate: (day, lookup) => bound('<', Date.parse(day) + DAY_MS, lookup),
  search: (text, { match }) => holdsMatch(text, match),
  author: holdsName,
  content: holdsContent,
  q: (words, lookup) =>
    parseQuery(words).groups.map(({ terms }) => anyOf(terms.map((term) => literalOf(term, lookup)))),
  // Says how `search` is meant.
  match: () => undefined,
};

function literalOf({ asked, isNegated }: Term, lookup: Lookup): Literal {
  // A bound the other way round is one too.
  if (isNegated && asked.by === 'since') return held(bound('<', Date.parse(asked.day), lookup));
  if (isNegated && asked.by === 'until') return held(bound('>=', Date.parse(asked.day) + DAY_MS, lookup));
  return { clause: clauseOf(asked, lookup), isNegated };
}

function held(clause: Clause): Literal {
  return { clause, isNegated: false };
}

function clauseOf(asked: Asked, lookup: Lookup): Clause | null {
  switch (asked.by) {
    case 'text':
      return holdsText(asked.text);
    case 'from':
      return isBy(asked.handle, lookup);
    case 'since':
      return bound('>=', Date.parse(asked.day), lookup);
    case 'until':
      return bound('<', Date.parse(asked.day) + DAY_MS, lookup);
    case 'category':
      return isCategory(asked.category);
    case 'lang':
      return trait(languageTrait(asked.tag));
    case 'platform':
      return trait(platformTrait(asked.platform));
    case 'is':
      return flag(asked.what);
    case 'has':
      return has(asked.what, lookup);
    case 'reactions':
      return inRange('post.reactions', 'post_reactions', asked.than, asked.count, lookup);
    case 'saved': {
      const since = lookup.now - asked.amount * HOURS[asked.unit] * HOUR_MS;
      return inRange('post.saved_at', 'post_saved', asked.than === '<' ? '>' : '<', since, lookup);
    }
  }
}

function isCategory(name: (typeof CATEGORIES)[number]): Clause {
  const category = CATEGORIES.indexOf(name);
  const token = categoryToken(category);
  return {
    test: () => equals('category', category),
    match: `(category : ${quote(token)})`,
    index: 'post_category_time',
    isCovered: true,
    counted: { table: 'category', where: condition('category = ?', category) },
  };
}

function isBy(handle: string, lookup: Lookup): Clause | null {
  const folded = foldText(handle);
  const author = lookup.authorId(folded);
  if (author === undefined) return null;
  return { test: () => equals('author', author), match: isHandle(folded), index: 'post_handle', isFew: true };
}

function has(what: (Asked & { by: 'has' })['what'], lookup: Lookup): Clause | null {
  if (what === 'link' || what === 'quote') return flag(what);
  if (what !== 'thread') return trait(mediaTrait(what === 'media' ? 'any' : what));
  // One that stands there alone is no thread.
  const test = condition(
    `(post.thread IS NOT NULL AND EXISTS
      (SELECT 1 FROM post AS other WHERE other.thread = post.thread AND other.rank <> post.rank))`,
  );
  const isFew = lookup.isFew('post_thread', condition('post.thread IS NOT NULL'));
  return { test: () => test, ...(isFew && { index: 'post_thread', isFew }) };
}

/** Of values that the index for sorting by them holds in order. */
function inRange(column: string, index: PostIndex, than: '<' | '>', value: number, lookup: Lookup): Clause {
  const test = condition(`${column} ${than} ?`, value);
  const isFew = lookup.isFew(index, test);
  return { test: () => test, told: index, ...(isFew && { index, isFew }) };
}

function flag(name: Flag): Clause {
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

/** Posts from a time on, or before it: milliseconds since 1970, a whole day. */
export function bound(operator: '>=' | '<', time: number, lookup: Pick<Lookup, 'rankFrom'>): Clause {
  const rank = lookup.rankFrom(time);
  return {
    test: (column) => condition(`${column} ${operator} ?`, column === 'post.at' ? time : rank),
    isTime: true,
    ...(operator === '>=' ? { since: time } : { until: time }),
    isCovered: true,
    counted: { table: 'day', where: condition(`day ${operator} ?`, time / DAY_MS) },
  };
}

function equals(column: PostColumn, value: Value): Condition {
  return condition(`post.${column} = ?`, value);
}
