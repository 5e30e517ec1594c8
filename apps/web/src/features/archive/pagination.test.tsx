import { expect, jest, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Pagination } from './pagination.tsx';

function open(page: number, pages: number) {
  const onPage = jest.fn();
  render(<Pagination page={page} pages={pages} hrefOf={(one) => `/?page=${one}`} onPage={onPage} />);
  return { onPage, user: userEvent.setup() };
}

const hrefOf = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href') ?? null;

test.each([
  [1, 1, null, null],
  [1, 3, null, '/?page=2'],
  [2, 3, '/?page=1', '/?page=3'],
  [3, 3, '/?page=2', null],
  // From a page past the end, "previous" leads to the last page.
  [9, 3, '/?page=3', null],
  [2, 1, '/?page=1', null],
])('of page %i of %i: previous %s, next %s', (page, pages, previous, next) => {
  open(page, pages);
  expect([hrefOf('Previous'), hrefOf('Next')]).toEqual([previous, next]);
});

test.each([
  [1, 9, [1, 2, 3, 9]],
  [5, 9, [1, 4, 5, 6, 9]],
  [9, 9, [1, 7, 8, 9]],
])('beside page %i of %i a phone has room for %j', (page, pages, near) => {
  open(page, pages);
  const items = within(screen.getByRole('list')).getAllByRole('listitem');
  const shown = items.filter((item) => item.dataset['far'] === 'false');
  expect(shown.map((item) => Number(item.textContent?.replace('Page ', '')))).toEqual(near);
});

test.each([
  ['7', [[7]]],
  ['1,000', [[20]]],
  ['page 3', [[3]]],
  ['0', []],
  ['none', []],
])('%j, written as a page to go to, leads to %j', async (written, expected) => {
  const { onPage, user } = open(1, 20);
  await user.type(screen.getByRole('textbox', { name: 'Go to page' }), `${written}{Enter}`);
  expect(onPage.mock.calls).toEqual(expected);
});

test('a press stays on the page, one for another tab is left to the browser', async () => {
  const { onPage, user } = open(1, 3);
  await user.click(screen.getByRole('link', { name: 'Page 2' }));
  expect(onPage.mock.calls).toEqual([[2]]);
  await user.keyboard('{Control>}');
  await user.click(screen.getByRole('link', { name: 'Page 3' }));
  expect(onPage.mock.calls).toEqual([[2]]);
});
