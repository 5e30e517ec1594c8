import { describe, expect, test } from '@jest/globals';
import { safeAvatar, safeLink, siteName } from './safe-links.ts';

describe('safeLink', () => {
  test.each(['https://x.com/a/status/1', 'http://example.org/post'])('follows %s', (address) => {
    expect(safeLink(address)).toBe(address);
  });

  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example/x',
    '/archives',
    'https://user:secret@x.com/',
    '',
    null,
    undefined,
  ])('does not follow %j', (address) => {
    expect(safeLink(address)).toBeNull();
  });
});

describe('safeAvatar', () => {
  const hosts = ['pbs.twimg.com'];

  test('shows a picture over https from a listed host', () => {
    expect(safeAvatar('https://pbs.twimg.com/a.jpg', hosts)).toBe('https://pbs.twimg.com/a.jpg');
  });

  test.each([
    'http://pbs.twimg.com/a.jpg',
    'https://pbs.twimg.com.evil.example/a.jpg',
    'https://evil.example/pbs.twimg.com',
    'https://pbs.twimg.com@evil.example/a.jpg',
    'https://pbs.twimg.com:8443/a.jpg',
    'data:image/png;base64,AAAA',
    null,
  ])('does not show %j', (address) => {
    expect(safeAvatar(address, hosts)).toBeNull();
  });
});

test('the site is called what people call it', () => {
  expect(siteName('https://twitter.com/a')).toBe('X');
  expect(siteName('https://www.x.com/a')).toBe('X');
  expect(siteName('https://bsky.app/profile/a')).toBe('Bluesky');
  expect(siteName('https://www.example.org/a')).toBe('example.org');
});
