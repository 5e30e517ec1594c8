import { WEB_ROUTES } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { authorHref, matchRoute, postHref } from './routes.ts';

test('every path the server answers with the page has its route', () => {
  for (const route of WEB_ROUTES) expect(matchRoute(route).route).toBe(route);
});

test('names are read as they were written', () => {
  expect(matchRoute(postHref('a/b?c %'))).toEqual({ route: '/post/:id', name: 'a/b?c %' });
  expect(matchRoute(authorHref('ゆき'))).toEqual({ route: '/author/:handle', name: 'ゆき' });
  expect(matchRoute('/author/100%')).toEqual({ route: '/author/:handle', name: '100%' });
});

test.each(['/post', '/post/', '/post/1/', '/post/1/2', '/dashboard/', '/posts/1', ''])(
  'there is no page at %j',
  (path) => {
    expect(matchRoute(path).route).toBeNull();
  },
);
