import type { GivenReaction, PostReactions } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { replacePost } from '../../lib/post-cache.ts';
import { archivePage, archivePost } from '../../testing/archive-page.ts';
import { withCounts, withReply } from './apply-reply.ts';

const NOW = new Date('2026-11-21T10:00:00.000Z');
const reply: PostReactions = { heart: 7, thumbsUp: 1, thumbsDown: 0, userReactions: ['heart'] };
const counts = { heart: 7, thumbsUp: 1, thumbsDown: 0 };

function entry(number: number, reactionType: GivenReaction['reactionType']): GivenReaction {
  const archive = archivePost(number);
  return { archiveId: archive._id, reactionType, createdAt: '2026-11-20T10:00:00.000Z', archive };
}

test('counts are replaced in a page, in the featured post, and in a post alone, and nowhere else', () => {
  const post = archivePost(1);
  const page = archivePage([post, archivePost(2)], { featured: { ...post, featured: true } });
  const counted = <Answer>(answer: Answer) => replacePost(answer, post._id, (known) => withCounts(known, reply));
  const after = counted(page);
  expect(after.data[0]?.reactions).toEqual(counts);
  expect(after.data[1]).toEqual(page.data[1]);
  expect(after.featured?.reactions).toEqual(counts);
  expect(counted(post)).toEqual({ ...post, reactions: counts });
  expect(counted(archivePost(2))).toEqual(archivePost(2));
  expect(counted(undefined)).toBeUndefined();
});

test('what was given follows the answer: new ones in front, old ones with their time, others untouched', () => {
  const post = archivePost(1);
  const before = [entry(1, 'thumbsUp'), entry(2, 'heart'), entry(1, 'thumbsDown')];
  const after = withReply(before, post, { ...reply, userReactions: ['heart', 'thumbsDown'] }, NOW);
  expect(after.map(({ archiveId, reactionType }) => [archiveId, reactionType])).toEqual([
    [post._id, 'heart'],
    [archivePost(2)._id, 'heart'],
    [post._id, 'thumbsDown'],
  ]);
  expect(after[0]?.createdAt).toBe(NOW.toISOString());
  expect(after[2]?.createdAt).toBe('2026-11-20T10:00:00.000Z');
});

test('the same answer twice changes nothing', () => {
  const post = archivePost(1);
  const once = withReply([], post, reply, NOW);
  expect(withReply(once, post, reply, new Date(0))).toEqual(once);
});
