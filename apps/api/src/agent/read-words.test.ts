import { expect, test } from '@jest/globals';
import { isBareRequest, readAuthorWord, readRequest } from './read-words.ts';

const ALL = { asks: true, wantsThread: true };
const ONE = { asks: true, wantsThread: false };
const NONE = { asks: false, wantsThread: false };

test.each([
  ['', ONE, true],
  ['https://x.com/ada/status/1', ONE, true],
  ['HTTP://x.com/ada/status/1 save.', ONE, true],
  ['archive', ONE, true],
  ['save', ONE, true],
  ['keep', ONE, true],
  ['Save!', ONE, true],
  ['please keep this', ONE, true],
  ['archive this please', ONE, true],
  ['save thread', ALL, true],
  ['please keep this thread please.', ALL, true],
  ['save  this\nthread', ALL, true],
  ['do not save this', ONE, false],
  ['save this?', ONE, false],
  ['never keep', ONE, false],
  ['save this thread of mine', ALL, false],
  ['(archive)', ONE, false],
  ['saved', NONE, false],
  ['unsave', NONE, false],
  ['ésave', NONE, false],
  ['saveé', NONE, false],
  ['save_', NONE, false],
  ['1keep', NONE, false],
  ['archives', NONE, false],
  ['threads', NONE, false],
  ['thread', { asks: false, wantsThread: true }, false],
  ['save threads', ONE, false],
  ['hello', NONE, false],
])('the words %j ask for %j, and are the request alone: %j', (words, request, isBare) => {
  expect(readRequest(words)).toEqual(request);
  expect(isBareRequest(words)).toBe(isBare);
});

test.each([
  ['remove', 'remove'],
  ['Remove.', 'remove'],
  ['REMOVE!', 'remove'],
  ['remove all', 'remove all'],
  [' remove \n all ', 'remove all'],
  ['no tokens', 'no tokens'],
  ['no archive', 'no archive'],
  ['allow', 'allow'],
  ['allow https://example.com/', 'allow'],
  ['remove..', null],
  ['remove?', null],
  ['removed', null],
  ['remove all of it', null],
  ['do not remove', null],
  ['no token', null],
  ['', null],
])('the words %j of an author say %j', (words, word) => {
  expect(readAuthorWord(words)).toBe(word);
});
