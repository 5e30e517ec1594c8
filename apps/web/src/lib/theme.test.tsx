import { PRODUCT_SLUG } from '@archive/contracts';
import { afterEach, expect, jest, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { applyTheme, storedTheme, storeTheme } from './theme.ts';
import { usePageTitle } from './use-page-title.ts';

afterEach(() => {
  document.head.innerHTML = '';
  localStorage.clear();
  jest.restoreAllMocks();
});

test('a theme draws the page and its bar; the system decides again afterwards', () => {
  document.head.innerHTML = ['light', 'dark']
    .map((scheme) => `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="">`)
    .join('');
  // jsdom does not implement this.
  for (const meta of document.querySelectorAll('meta')) {
    Object.defineProperty(meta, 'media', { value: meta.getAttribute('media') });
  }
  const drawn = () => [
    document.documentElement.dataset['theme'],
    ...[...document.querySelectorAll('meta')].map(({ content }) => content),
  ];
  applyTheme('dark');
  expect(drawn()).toEqual(['dark', '#140f0b', '#140f0b']);
  applyTheme('light');
  expect(drawn()).toEqual(['light', '#f7f4f0', '#f7f4f0']);
  applyTheme('system');
  expect(drawn()).toEqual([undefined, '#f7f4f0', '#140f0b']);
});

test('a theme is kept under its key; of another word, or of storage that is forbidden, the system decides', () => {
  storeTheme('dark');
  expect([localStorage.getItem(`${PRODUCT_SLUG}.theme`), storedTheme()]).toEqual(['dark', 'dark']);
  localStorage.setItem(`${PRODUCT_SLUG}.theme`, 'pink');
  expect(storedTheme()).toBe('system');
  for (const name of ['getItem', 'setItem'] as const) {
    jest.spyOn(Storage.prototype, name).mockImplementation(() => {
      throw new Error('forbidden');
    });
  }
  storeTheme('dark');
  expect(storedTheme()).toBe('system');
});

function Page({ title }: { title?: string }) {
  usePageTitle(title);
  return null;
}

test('a page gives the name back that it found, and an unknown one changes nothing', () => {
  document.title = 'Amber';
  const { rerender, unmount } = render(<Page />);
  expect(document.title).toBe('Amber');
  rerender(<Page title="A post" />);
  expect(document.title).toBe('A post');
  rerender(<Page title="Another post" />);
  expect(document.title).toBe('Another post');
  unmount();
  expect(document.title).toBe('Amber');
});
