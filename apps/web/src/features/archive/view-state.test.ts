import { ENDPOINTS } from '@archive/contracts';
import { describe, expect, test } from '@jest/globals';
import { changeView, exportAddress, listAddress, parseView, printView, toggleSort } from './view-state.ts';

const DEFAULT = parseView('');

describe('the address of a view', () => {
  test('is empty for the default', () => {
    expect(DEFAULT).toEqual({ page: 1, sortBy: 'timestamp', sortOrder: 'desc', view: 'grid' });
    expect(printView(DEFAULT)).toBe('');
  });

  test.each([
    'search=kept+words&page=3',
    'author=lou&content=napkin&sortBy=author&sortOrder=asc&page=2&view=table',
    'q=from%3Alou+napkin+OR+serviette+-%22night+bus%22+has%3Aimage+since%3A2026-01-01&sortBy=reactions',
    'search=two+words&match=any',
    'search=%25+%26+%3D+%E9%AB%98%E6%A9%8B+%F0%9F%8C%BF',
    'sortBy=content',
  ])('comes back as it was: %s', (address) => {
    expect(printView(parseView(address))).toBe(address);
  });

  test.each([
    ['category=tech', 'category:tech'],
    ['search=two+words&startDate=2026-01-01&featured=true', '"two words" is:featured since:2026-01-01'],
    ['media=none&platform=bluesky&language=pt-BR&launched=true', 'lang:pt-BR platform:bluesky -has:media is:launched'],
    ['search=two+words&q=-three', '"two words" -three'],
    ['q=since%3A2026-01-01+lou', 'lou since:2026-01-01'],
    ['q=two+words', 'two words'],
  ])('says in words what older ones say in filters: %s', (address, words) => {
    expect(parseView(address)).toEqual({ ...DEFAULT, q: words });
  });

  test.each([
    'page=0',
    'page=-1',
    'page=1e3',
    'page=NaN',
    'page=',
    'category=sports',
    'category=',
    'startDate=2026-02-30',
    'endDate=20.11.2026',
    'media=gif',
    'platform=twitter',
    'language=English',
    'sortBy=_id',
    'sortOrder=up',
    'view=list',
    'search=%20%20',
    'limit=1000',
    'match=words',
    'featured=yes',
    'search[$ne]=x',
  ])('drops what is wrong: %s', (address) => {
    expect(parseView(address)).toEqual(DEFAULT);
  });

  test('trims the ends of texts and cuts them at 200 characters', () => {
    expect(parseView('search=+kept+')).toMatchObject({ search: 'kept' });
    expect(parseView(`search=${'a'.repeat(300)}`).search).toHaveLength(200);
  });
});

describe('changeView', () => {
  const third = parseView('page=3');

  test.each([{ search: 'kept' }, { q: 'category:meme' }, { match: 'any' as const }, { sortOrder: 'asc' as const }])(
    'another list starts at its first page: %j',
    (change) => {
      expect(changeView(third, change)).toMatchObject({ ...change, page: 1 });
    },
  );

  test('another layout stays on its page', () => {
    expect(changeView(third, { view: 'table' }).page).toBe(3);
  });

  test('what changes nothing stays on its page', () => {
    expect(changeView(third, { search: undefined }).page).toBe(3);
  });

  test('goes to the page asked for', () => {
    expect(changeView(third, { page: 4 }).page).toBe(4);
  });
});

test('the same column turns around, and a new one starts ascending', () => {
  expect(toggleSort(DEFAULT, 'timestamp')).toEqual({ sortBy: 'timestamp', sortOrder: 'asc' });
  expect(toggleSort({ sortBy: 'timestamp', sortOrder: 'asc' }, 'timestamp').sortOrder).toBe('desc');
  expect(toggleSort(DEFAULT, 'author')).toEqual({ sortBy: 'author', sortOrder: 'asc' });
});

describe('calls', () => {
  test('the list call splits off the featured post and leaves out what is default', () => {
    expect(listAddress(DEFAULT)).toBe(`${ENDPOINTS.listArchives.path}?split=featured`);
    expect(listAddress(parseView('search=kept&page=2&view=table&sortBy=author&sortOrder=asc'))).toBe(
      `${ENDPOINTS.listArchives.path}?search=kept&sortBy=author&sortOrder=asc&page=2`,
    );
    expect(listAddress(DEFAULT, 'Lou')).toBe(`${ENDPOINTS.listArchives.path}?handle=Lou`);
  });

  test('the export call carries the same filters and no page', () => {
    expect(exportAddress(parseView('q=kept+category%3Acrypto&page=4&view=table'), 'csv')).toBe(
      `${ENDPOINTS.exportArchives.path}?format=csv&q=kept+category%3Acrypto&sortBy=timestamp&sortOrder=desc`,
    );
  });
});
