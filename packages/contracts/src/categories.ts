/** In code-point order, which is also their sort order; a post may have none. */
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

/** The order the filter panel offers them in. */
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

/** What people read where a post has no category. */
export const UNCATEGORIZED = 'Uncategorized';

export function isCategory(value: unknown): value is Category {
  return typeof value === 'string' && (CATEGORIES as readonly string[]).includes(value);
}
