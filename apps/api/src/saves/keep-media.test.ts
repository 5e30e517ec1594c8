import { describe, expect, it } from '@jest/globals';
import { keepMedia } from './keep-media.ts';

const MEDIA = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ type: 'image' as const, key, address: `https://x/${key}` }));
const FILE = { sha256: 'f'.repeat(64), width: 1, height: 1, durationMs: null, thumbhash: null };

describe('keeping media', () => {
  it('counts what is cut off by the time limit as missing for now, and keeps what had come', async () => {
    const late = new AbortController();
    const fetch = ({ url }: { url: string }) => {
      if (url.endsWith('a')) return FILE;
      if (url.endsWith('c')) late.abort(new DOMException('late', 'TimeoutError'));
      return new Promise((_, reject) => {
        if (late.signal.aborted) reject(late.signal.reason);
        late.signal.addEventListener('abort', () => reject(late.signal.reason));
      });
    };
    const media = { fetch: async (wanted: { url: string }) => fetch(wanted) } as never;
    const kept = await keepMedia({ media }, MEDIA as never, { post: 'p', signal: late.signal });
    expect(kept.mayRetry).toBe(true);
    expect(kept.media.map(({ key, sha256 }) => [key, sha256 !== undefined])).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
      ['d', false],
      ['e', false],
    ]);
  });

  it('is given up where its process stops', async () => {
    const media = { fetch: async () => Promise.reject(AbortSignal.abort().reason) } as never;
    const keeping = keepMedia({ media }, MEDIA as never, { post: 'p', signal: AbortSignal.abort() });
    await expect(keeping).rejects.toMatchObject({ name: 'AbortError' });
  });
});
