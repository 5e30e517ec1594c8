/** The label of a filter in the words of a search. */
const NAMES: Record<string, string> = {
  handle: 'from',
  startDate: 'since',
  endDate: 'until',
  language: 'lang',
  media: 'has',
};

/** The filters of a query string as search words. */
export function queryWords(query: string): string {
  return [...new URLSearchParams(query)]
    .map(([name, value]) => (name === 'search' || name === 'q' ? value : `${NAMES[name] ?? name}:${value}`))
    .join(' ');
}
