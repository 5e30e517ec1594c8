import { expect, it } from '@jest/globals';
import { runFullDisk } from '../trials/full-disk.ts';

it('holds every post right after the disk was full at random moments, and says what was wrong', async () => {
  const { moments, posts, wrong } = await runFullDisk({ moments: 8, seed: 4 });
  expect(wrong).toEqual([]);
  expect(moments).toBe(8);
  expect(posts).toBeGreaterThanOrEqual(moments * 100);
});
