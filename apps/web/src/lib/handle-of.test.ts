import { expect, it } from '@jest/globals';
import { handleOf } from './handle-of.ts';

const reference = (url: string) =>
  ({ platform: 'other', id: '1', url, archiveId: null, state: 'unknown', post: null }) as const;

it.each([
  ['https://x.com/ada/status/1', 'ada'],
  ['https://bsky.app/profile/ada.example/post/3l6oveex3ii2l', 'ada.example'],
  // These addresses contain no handle.
  ['https://x.com/i/web/status/1', null],
  ['https://x.com/', null],
  ['https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3l6oveex3ii2l', null],
  ['https://example.com/ada/1', null],
  ['no address', null],
])('%s is by %s', (url, handle) => expect(handleOf(reference(url))).toBe(handle));
