import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { loadChunk } from './load-chunk.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a part that fails once is tried once more, half a second later', async () => {
  const load = jest.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('gone')).mockResolvedValueOnce('part');
  const loaded = loadChunk(load);
  await jest.advanceTimersByTimeAsync(499);
  expect(load).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  await expect(loaded).resolves.toBe('part');
});

test('a part that fails twice is given up', async () => {
  const load = jest.fn<() => Promise<string>>().mockRejectedValue(new Error('gone'));
  const loaded = expect(loadChunk(load)).rejects.toThrow('gone');
  await jest.advanceTimersByTimeAsync(500);
  await loaded;
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part that takes over 120 seconds counts as failed', async () => {
  const load = jest
    .fn<() => Promise<string>>()
    .mockReturnValueOnce(new Promise(() => {}))
    .mockResolvedValueOnce('part');
  const loaded = loadChunk(load);
  await jest.advanceTimersByTimeAsync(120_499);
  expect(load).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  await expect(loaded).resolves.toBe('part');
});
