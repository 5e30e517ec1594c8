import { expect, it } from '@jest/globals';
import { anyOfWords } from './active-filters.ts';
import { parseView } from './view-state.ts';

it('asks for any of the words where nothing holds them all, within the same dates', () => {
  const nearest = (q: string) => anyOfWords(parseView(`?q=${encodeURIComponent(q)}`));
  expect(nearest('plan options health since:2015-01-01')).toBe('plan OR options OR health since:2015-01-01');
  expect(nearest('plan -bus from:ann')).toBeNull();
  expect(nearest('"plan options" since:2015-01-01')).toBeNull();
});
