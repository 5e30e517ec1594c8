import type { Reference } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { archivePost } from '../../testing/archive-page.ts';
import { threadEntries } from './thread-entries.ts';

const author = { authorUsername: 'Ann', authorId: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz', platform: 'bluesky' } as const;
const reply = (id: string, url: string): Reference => ({
  platform: 'bluesky',
  id,
  url,
  archiveId: null,
  state: 'deleted',
  post: null,
});
const byHandle = (id: string) => reply(id, `https://bsky.app/profile/ann/post/${id}`);

function shape(posts: Parameters<typeof threadEntries>[0]) {
  return threadEntries(posts).map((entry) => entry.missing?.id ?? entry.post?.id);
}

test('a post that goes on from one that is there follows it', () => {
  expect(
    shape([archivePost(1, { ...author, id: 'a' }), archivePost(2, { ...author, id: 'b', replyTo: byHandle('a') })]),
  ).toEqual(['a', 'b']);
});

test('what is missing between them stands there once, named by handle or by DID', () => {
  const first = archivePost(1, { ...author, id: 'a' });
  const third = archivePost(3, { ...author, id: 'c', replyTo: byHandle('b') });
  const fourth = archivePost(4, { ...author, id: 'd', replyTo: byHandle('b') });
  const sixth = archivePost(6, {
    ...author,
    id: 'f',
    replyTo: reply('e', `https://bsky.app/profile/${author.authorId}/post/e`),
  });
  expect(shape([first, third, fourth, sixth])).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('what somebody else wrote is no part of it', () => {
  const other = reply('z', 'https://bsky.app/profile/ben/post/z');
  expect(shape([archivePost(1, { ...author, id: 'a', replyTo: other })])).toEqual(['a']);
  const elsewhere = { ...byHandle('y'), platform: 'x' as const, url: 'https://x.com/ann/status/7' };
  expect(shape([archivePost(1, { ...author, id: 'a', replyTo: elsewhere })])).toEqual(['a']);
});
