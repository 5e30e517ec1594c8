import { QUERY_LENGTH } from '@archive/contracts';

const WHAT = 'Search posts, authors or handles';

/** Attributes of a page's search field. The `/` key focuses it. */
export const SEARCH_FIELD = {
  id: 'search',
  type: 'search',
  placeholder: WHAT,
  'aria-label': WHAT,
  autoComplete: 'off',
  spellCheck: false,
  enterKeyHint: 'search',
  maxLength: QUERY_LENGTH,
  dir: 'auto',
} as const;
