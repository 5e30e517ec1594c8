import { describe, expect, it } from '@jest/globals';
import { idOfLink, isPostOf, platformOf } from './platforms.ts';

const AUTHOR = 'ewvi7nxzyoun6zhxrhs64oiz';
const KEY = '3l6oveex3ii2l';

describe('the platform of an address', () => {
  it.each([
    ['https://x.com/ada/status/1', 'x'],
    ['https://mobile.twitter.com/ada/status/1', 'x'],
    ['https://bsky.app/profile/ada.example/post/3l6oveex3ii2l', 'bluesky'],
    ['https://x.com.example/ada/status/1', 'other'],
    ['https://example.com/?to=https://x.com/ada/status/1', 'other'],
    ['https://x.com@example.com/ada/status/1', 'other'],
    ['http://constructor/', 'other'],
    ['http://__proto__/', 'other'],
    ['no address', 'other'],
  ])('%s is %s', (address, platform) => expect(platformOf(address)).toBe(platform));
});

describe('the id that a link names', () => {
  it.each([
    ['https://x.com/ada/status/1234567890123456789', '1234567890123456789'],
    ['http://www.twitter.com/ada/status/20/photo/1?s=20', '20'],
    ['https://x.com/i/web/status/20', '20'],
    [`https://bsky.app/profile/did:plc:${AUTHOR}/post/${KEY}`, `bsky-${AUTHOR}-${KEY}`],
    [`at://did:plc:${AUTHOR}/app.bsky.feed.post/${KEY}`, `bsky-${AUTHOR}-${KEY}`],
    // These name an author, another host, another record, or no post.
    ['https://x.com/ada', null],
    ['https://x.com.example/ada/status/20', null],
    ['https://x.com/ada/status/20/likes', null],
    [`https://bsky.app/profile/did:plc:${AUTHOR}`, null],
    [`at://did:plc:${AUTHOR}/app.bsky.feed.like/${KEY}`, null],
    [`at://did:plc:${AUTHOR}/app.bsky.feed.post/${KEY}/more`, null],
    ['javascript:https://x.com/ada/status/20', null],
    ['20', null],
    ['', null],
  ])('%s: %s', (link, id) => expect(idOfLink(link)).toBe(id));
});

describe('whether an address is that of a post', () => {
  it.each([
    ['https://x.com/ada/status/20', '20', true],
    ['https://x.com/ada/status/21', '20', false],
    ['https://example.com/ada/status/20', '20', false],
    [`https://bsky.app/profile/ada.example/post/${KEY}`, `bsky-${AUTHOR}-${KEY}`, true],
    [`https://bsky.app/profile/ada.example/post/${KEY}`, `bsky-${AUTHOR}-3l6oveex3ii2m`, false],
    ['https://bsky.app/profile/ada.example', `bsky-${AUTHOR}-${KEY}`, false],
  ])('%s, %s: %s', (address, id, isIt) => expect(isPostOf(address, id)).toBe(isIt));
});
