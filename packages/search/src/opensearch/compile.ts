import { CATEGORIES, primaryLanguage } from '@archive/contracts';
import type { Part, Place, Question } from '../question.ts';
import { LANGUAGE, OTHER_KINDS, PHRASE, phraseOf } from './mapping.ts';

/** A query of the cluster, as it is sent. */
export type Query = Record<string, unknown>;

/** Control characters are stripped on input, so a text with one of these matches no post. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NEVER_STORED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

export const NOTHING: Query = { match_none: {} };
const ALL: Query = { match_all: {} };

/**
 * Query for the posts that satisfy all parts and all other conditions. It excludes the other documents, which are fewer
 * than the posts: looking up each match among all posts would take as long as finding it.
 */
export function postsOf(parts: readonly Question[], others: readonly Query[] = []): Query {
  const conditions = [...parts.map(compile), ...others];
  // In a segment without deleted documents, the engine counts a single term without reading its posts.
  if (conditions.length === 0) return { bool: { filter: [term('kind', 'post')] } };
  return { bool: { filter: conditions, must_not: [terms('kind', OTHER_KINDS)] } };
}

/** Query for a post by its id in hexadecimal digits. */
export function onePost(id: string): Query {
  return { ids: { values: [id] } };
}

function compile(question: Question): Query {
  if ('not' in question) return not(compile(question.not));
  if ('any' in question) return anyOf(question.any.map(compile));
  return PARTS[question.by](question as never);
}

const PARTS: { [B in Part['by']]: (part: Extract<Part, { by: B }>) => Query } = {
  text: ({ text, in: place }) => holds(text, place),
  author: ({ handle }) => term('by', handle),
  since: ({ time }) => range('at', { gte: time }),
  before: ({ time }) => range('at', { lt: time }),
  category: ({ category }) => term('category', CATEGORIES.indexOf(category)),
  media: ({ media }) => {
    if (media === 'any') return exists('media');
    return media === 'none' ? not(exists('media')) : term('media', media);
  },
  platform: ({ platform }) => term('platform', platform),
  language: ({ tag }) => {
    const language = primaryLanguage(tag);
    return LANGUAGE.test(language) ? term('language', language) : NOTHING;
  },
  flag: ({ flag }) => term('flags', flag),
  thread: () => term('in_thread', true),
  reactions: ({ than, value }) => range('reactions', { [than === '<' ? 'lt' : 'gt']: value }),
  saved: ({ than, value }) => range('saved_at', { [than === '<' ? 'lt' : 'gt']: value }),
};

function holds(text: string, place: Place): Query {
  if (NEVER_STORED.test(text) || !text.isWellFormed()) return NOTHING;
  if (text === '') return ALL;
  const points = Array.from(text);
  const inField = (field: string): Query =>
    points.length < 3
      ? { prefix: { [field]: text } }
      : { match_phrase: { [field]: { query: phraseOf(points), analyzer: PHRASE } } };
  return anyOf((place === 'anywhere' ? ['content', 'names'] : [place]).map(inField));
}

export function anyOf(queries: readonly Query[]): Query {
  const [only, ...others] = queries;
  if (only && others.length === 0) return only;
  return { bool: { should: queries, minimum_should_match: 1 } };
}

export const not = (query: Query): Query => ({ bool: { must_not: [query] } });
export const term = (field: string, value: string | number | boolean): Query => ({ term: { [field]: value } });
export const terms = (field: string, values: readonly (string | number)[]): Query => ({ terms: { [field]: values } });
export const range = (field: string, bounds: Record<string, string | number>): Query => ({
  range: { [field]: bounds },
});
export const exists = (field: string): Query => ({ exists: { field } });
