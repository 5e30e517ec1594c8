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
    'author=lou&content=napkin&category=crypto&startDate=2026-01-01&endDate=2026-11-20&sortBy=author&sortOrder=asc&page=2&view=table',
    'search=%25+%26+%3D+%E9%AB%98%E6%A9%8B+%F0%9F%8C%BF',
    'sortBy=content',
    'media=image&platform=bluesky&language=pt-BR&sortBy=saved',
  ])('comes back as it was: %s', (address) => {
    expect(printView(parseView(address))).toBe(address);
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

  test.each([
    { search: 'kept' },
    { category: 'meme' as const },
    { startDate: '2026-01-01' },
    { sortOrder: 'asc' as const },
  ])('another list starts at its first page: %j', (change) => {
    expect(changeView(third, change)).toMatchObject({ ...change, page: 1 });
  });

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
      `${ENDPOINTS.listArchives.path}?split=featured&search=kept&sortBy=author&sortOrder=asc&page=2`,
    );
    expect(listAddress(DEFAULT, 'Lou')).toBe(`${ENDPOINTS.listArchives.path}?split=featured&handle=Lou`);
  });

  test('the export call carries the same filters and no page', () => {
    expect(exportAddress(parseView('search=kept&category=crypto&page=4&view=table'), 'csv')).toBe(
      `${ENDPOINTS.exportArchives.path}?format=csv&search=kept&category=crypto&sortBy=timestamp&sortOrder=desc`,
    );
  });
});
