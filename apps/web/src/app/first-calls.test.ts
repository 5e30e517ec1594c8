import { describe, expect, it } from '@jest/globals';
import { listAddress, parseView, printView } from '../features/archive/view-state.ts';
import { firstCalls, plainListAddress } from './first-calls.ts';

const ADDRESSES = [
  '',
  '?view=table',
  '?page=3',
  '?sortBy=saved&page=2',
  '?search=coffee+morning&page=2&view=table',
  '?author=ann&content=rain',
  '?content=%C3%A9t%C3%A9&q=coffee+has%3Aimage&sortBy=reactions&sortOrder=asc',
  '?q=from%3Aann+since%3A2026-01-01',
];

describe('what the script in the head asks for', () => {
  it.each(ADDRESSES)('is what the page asks for at "%s"', (search) => {
    expect(`?${printView(parseView(search))}`).toBe(search || '?');
    for (const handle of [undefined, 'ann']) {
      expect(plainListAddress(search, handle)).toBe(listAddress(parseView(search), handle));
    }
  });

  it('is a page’s own calls', () => {
    expect(firstCalls('/author/ann', '', plainListAddress)).toContain('/amber/archives?handle=ann');
    expect(firstCalls('/', '', plainListAddress)).toContain('/amber/archives?split=featured');
  });
});
