import { expect, test } from '@jest/globals';
import { mayKeep, postNamed, shelfOf } from './shelves.ts';

const ORIGIN = 'https://amber.example';
const asked = (path: string, more: object = {}) => ({
  method: 'GET',
  url: new URL(path, ORIGIN).href,
  mode: 'cors',
  headers: new Headers(),
  ...more,
});
const shelf = (path: string, more: object = {}) => shelfOf(asked(path, more), ORIGIN);

test('results, opened posts, previews and built files are kept', () => {
  expect(shelf('/amber/archives?search=tea')).toBe('results');
  expect(shelf('/amber/archives/65a4fbd8c2f1a0b3d4e5f607')).toBe('posts');
  expect(shelf('/amber/archives/65a4fbd8c2f1a0b3d4e5f607/thread')).toBe('posts');
  expect(shelf(`/media/${'a'.repeat(64)}/preview`)).toBe('pictures');
  expect(shelf('/static/js/index-D4eURPmJ.js')).toBe('built');
  expect(shelf('/post/65a4fbd8c2f1a0b3d4e5f607', { mode: 'navigate' })).toBe('page');
});

test('nothing is kept that is told to one person, or that changes something', () => {
  const signed = { headers: new Headers({ Authorization: 'Bearer x' }) };
  for (const path of ['/amber/archives', '/amber/archives/1', '/amber/auth/me', '/static/js/index-D4eURPmJ.js'])
    expect(shelf(path, signed)).toBeNull();
  for (const path of ['/amber/auth/me', '/amber/notices', '/amber/reactions/user', '/amber/saves', '/amber/live'])
    expect(shelf(path)).toBeNull();
  expect(shelf('/amber/archives', { method: 'POST' })).toBeNull();
  expect(shelf('/amber/archives/1', { headers: new Headers({ Range: 'bytes=0-' }) })).toBeNull();
});

test('what is no part of the page is left alone', () => {
  for (const path of ['/docs', '/feed.atom', '/embed/1', '/openapi.json', '/share/1'])
    expect(shelf(path, { mode: 'navigate' })).toBeNull();
  expect(shelf('/amber/archives/export?format=csv')).toBeNull();
  expect(shelf('https://pbs.twimg.com/a.png')).toBeNull();
  expect(shelf(`/media/${'a'.repeat(64)}`)).toBeNull();
});

test('an answer is kept where it is whole and anybody’s', () => {
  const answer = (status: number, cacheControl: string, type = 'basic') =>
    mayKeep({ status, type: type as ResponseType, headers: new Headers({ 'Cache-Control': cacheControl }) });
  expect(answer(200, 'public, max-age=60')).toBe(true);
  expect(answer(200, 'no-cache')).toBe(true);
  expect(answer(200, 'no-store')).toBe(false);
  expect(answer(200, 'private, max-age=60')).toBe(false);
  expect(answer(206, '')).toBe(false);
  expect(answer(410, '')).toBe(false);
  expect(answer(200, '', 'opaque')).toBe(false);
});

test('a post is known by the id in its address, in whatever spelling', () => {
  expect(postNamed(`${ORIGIN}/amber/archives/65a4`)).toBe('65a4');
  expect(postNamed(`${ORIGIN}/amber/archives/at%3A%2F%2Fa`)).toBe('at://a');
  expect(postNamed(`${ORIGIN}/amber/archives/65a4/thread`)).toBeNull();
});
