/** In code-point order, which is also their sort order. A post may have no category. */
export const CATEGORIES = [
  'casual',
  'crypto',
  'market',
  'meme',
  'news',
  'other',
  'political',
  'tech',
  'troll',
] as const;

export type Category = (typeof CATEGORIES)[number];

/** The order in which the filter panel offers the categories. */
export const CATEGORY_MENU = [
  'political',
  'crypto',
  'news',
  'market',
  'tech',
  'casual',
  'meme',
  'troll',
  'other',
] as const satisfies readonly Category[];

/** Label of a post without category. */
export const UNCATEGORIZED = 'Uncategorized';

export function isCategory(value: unknown): value is Category {
  return typeof value === 'string' && (CATEGORIES as readonly string[]).includes(value);
}
