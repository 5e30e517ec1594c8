import { describe, expect, it } from '@jest/globals';
import type { WantedMedia } from '../media/fetch-media.ts';
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

  it('asks for no more bytes than the record says, nor than are left of the request', async () => {
    const asked: [string, number][] = [];
    const fetch = async ({ url, maxBytes = 0, onBytes }: WantedMedia) => {
      asked.push([url, maxBytes]);
      if (maxBytes < 400) return { refused: 'too_large', retry: false };
      onBytes?.(400);
      return { ...FILE, bytes: 400 };
    };
    const blobs = {
      a: { url: 'https://own/a', cid: 'a', size: 300 },
      b: { url: 'https://own/b', cid: 'b', size: 500 },
    };
    const budget = { left: 1_000 };
    const options = { post: 'p', signal: new AbortController().signal, budget };
    const media = { fetch } as never;
    for (const [at, address] of [
      [0, undefined],
      [1, undefined],
      [2, 'https://x/c'],
      [3, 'https://x/d'],
      [4, 'https://x/e'],
    ] as const) {
      const one = { type: 'image', key: MEDIA[at]?.key, ...(address && { address }) };
      const { mayRetry } = await keepMedia({ media }, [one] as never, { ...options, blobs });
      expect(mayRetry).toBe(false);
    }
    expect(asked).toEqual([
      ['https://own/a', 300],
      ['https://own/b', 500],
      ['https://x/c', 600],
      ['https://x/d', 200],
      ['https://x/e', 200],
    ]);
    expect(budget.left).toBe(200);
  });

  it('is given up where its process stops', async () => {
    const media = { fetch: async () => Promise.reject(AbortSignal.abort().reason) } as never;
    const keeping = keepMedia({ media }, MEDIA as never, { post: 'p', signal: AbortSignal.abort() });
    await expect(keeping).rejects.toMatchObject({ name: 'AbortError' });
  });
});
