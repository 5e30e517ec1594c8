import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readStreamEvent } from './jetstream-event.ts';

const DID = 'did:plc:ragtjsm2j2vknwkz3zp4oxrd';
const KEY = '3l3qo2vutsw2b';
const AT = 1_725_911_162_329_308;

const commitOf = (operation: string, collection: string, rkey: string) => ({
  did: DID,
  time_us: AT,
  kind: 'commit',
  commit: { rev: KEY, operation, collection, rkey },
});
const read = (event: object) => readStreamEvent(JSON.stringify(event));

test.each([
  ['create', 'back'],
  ['update', 'changed'],
  ['delete', 'gone'],
])('a %s of a post says that it may be %s', (operation, says) => {
  const id = `bsky-ragtjsm2j2vknwkz3zp4oxrd-${KEY}`;
  const event = { did: DID, at: AT, hint: { did: DID, id, says } };
  expect(read(commitOf(operation, 'app.bsky.feed.post', KEY))).toEqual(event);
});

test.each([
  [{ active: false, status: 'takendown' }, 'gone'],
  [{ active: false }, 'gone'],
  [{ active: true }, 'back'],
])('an account that is %j says of all its posts that they may be %s', (account, says) => {
  const event = { did: DID, at: AT, hint: { did: DID, id: null, says } };
  expect(read({ did: DID, time_us: AT, kind: 'account', account: { ...account, did: DID, seq: 1 } })).toEqual(event);
});

test('what is of no post is passed by', () => {
  for (const event of [
    commitOf('delete', 'app.bsky.feed.like', KEY),
    commitOf('delete', 'app.bsky.feed.post', '../../other'),
    { did: DID, time_us: AT, kind: 'identity', identity: { did: DID, handle: 'ada.example' } },
    { did: DID, time_us: AT, kind: 'something new' },
  ])
    expect(read(event)).toEqual({ did: DID, at: AT, hint: null });
});

test('whatever it is sent, it answers an event or nothing', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(DID, AT, 'commit', 'account', 'delete', KEY, '__proto__'));
  const right = commitOf('delete', 'app.bsky.feed.post', KEY);
  const mangled = fc.tuple(fc.constantFrom('did', 'time_us', 'kind', 'commit', 'account'), odd).map(([name, value]) => {
    return JSON.stringify({ ...right, [name]: value });
  });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), mangled), (text) => {
      const event = readStreamEvent(text);
      expect(event === null || (event.did.startsWith('did:') && Number.isSafeInteger(event.at))).toBe(true);
    }),
  );
});
