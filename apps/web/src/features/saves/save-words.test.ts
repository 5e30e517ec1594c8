import { SAVE_REASONS, SAVE_STATES } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { saveSentence, sharedLink, shortAddress, stepStates } from './save-words.ts';

test.each([
  ['received', 'done current coming coming'],
  ['fetched', 'done done current coming'],
  ['stored', 'done done done current'],
  ['answered', 'done done done done'],
] as const)('a request that is %s', (state, steps) => {
  expect(stepStates({ state, reason: null }).join(' ')).toBe(steps);
});

test('a failure stands at the step that failed', () => {
  expect(stepStates({ state: 'failed', reason: 'limit_reached' }).join(' ')).toBe('failed coming coming coming');
  expect(stepStates({ state: 'failed', reason: 'deleted' }).join(' ')).toBe('done failed coming coming');
});

test('every state and every reason has a sentence', () => {
  for (const state of SAVE_STATES) expect(saveSentence({ state, reason: null, via: 'save' })).not.toBe('');
  expect(saveSentence({ state: 'failed', reason: 'protected', via: 'mention' })).toBe(SAVE_REASONS.protected);
  expect(saveSentence({ state: 'answered', reason: null, via: 'mention' })).toBe('Kept and answered');
});

test('a long address keeps its beginning and its end', () => {
  expect(shortAddress('https://x.com/ann/status/1')).toBe('x.com/ann/status/1');
  const short = shortAddress('https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3lbxyzabcde2f');
  expect([short.length, short.slice(0, 8), short.slice(-7)]).toEqual([44, 'bsky.app', 'bcde2f'.padStart(7, 'a')]);
});

test.each([
  ['?url=https%3A%2F%2Fx.com%2Fa%2Fstatus%2F1', 'https://x.com/a/status/1'],
  ['?title=A%20post&text=Look%3A%20https%3A%2F%2Fx.com%2Fa%2Fstatus%2F2%20!', 'https://x.com/a/status/2'],
  ['?title=https%3A%2F%2Fx.com%2Fa%2Fstatus%2F3&text=words', 'https://x.com/a/status/3'],
  ['?text=at%3A%2F%2Fdid%3Aplc%3Ax%2Fapp.bsky.feed.post%2Fy', 'at://did:plc:x/app.bsky.feed.post/y'],
  ['?text=only%20words', 'only words'],
  ['', ''],
])('%s is about %s', (search, link) => {
  expect(sharedLink(search)).toBe(link);
});
