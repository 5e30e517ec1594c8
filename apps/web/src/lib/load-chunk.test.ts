import { expect, jest, test } from '@jest/globals';
import { loadChunk } from './load-chunk.ts';

test('a part that fails once is tried once more', async () => {
  const load = jest.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('gone')).mockResolvedValueOnce('part');
  await expect(loadChunk(load)).resolves.toBe('part');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part that fails twice is given up', async () => {
  const load = jest.fn<() => Promise<string>>().mockRejectedValue(new Error('gone'));
  await expect(loadChunk(load)).rejects.toThrow('gone');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part that takes over 120 seconds counts as failed', async () => {
  jest.useFakeTimers();
  try {
    const load = jest
      .fn<() => Promise<string>>()
      .mockReturnValueOnce(new Promise(() => {}))
      .mockResolvedValueOnce('part');
    const loaded = loadChunk(load);
    await jest.advanceTimersByTimeAsync(119_999);
    expect(load).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    await expect(loaded).resolves.toBe('part');
  } finally {
    jest.useRealTimers();
  }
});
