import { expect, test } from '@jest/globals';
import { ResponseCache } from './response-cache.ts';

const clock = () => ({ version: 1, now: 0 });

function cacheOver(state: { version: number; now: number }): ResponseCache {
  return new ResponseCache({ version: () => state.version, now: () => state.now });
}

test('equal questions at the same time are one piece of work, and the answer is kept for a second or until a change', async () => {
  const state = clock();
  const cache = cacheOver(state);
  let made = 0;
  const make = async () => ({ made: ++made });
  await Promise.all([cache.answer('/a', make), cache.answer('/a', make)]);
  await cache.answer('/a', make);
  expect(made).toBe(1);
  state.version = 2;
  await cache.answer('/a', make);
  state.now = 1_000;
  await cache.answer('/a', make);
  cache.forget();
  await cache.answer('/a', make);
  expect(made).toBe(4);
});

test('an answer made while something changed is sent but not kept', async () => {
  const cache = cacheOver(clock());
  await cache.answer('/a', async () => {
    cache.forget();
    return {};
  });
  expect(cache.get('/a')).toBeUndefined();
});

test('large answers that are not kept take no room from small ones, however often they are compressed', async () => {
  const cache = cacheOver(clock());
  for (let i = 0; i < 20; i++) {
    const entry = await cache.answer(`/large/${i}`, async () => 'x'.repeat(8_000_000));
    await Promise.all([cache.encode(entry, 'gzip'), cache.encode(entry, 'gzip')]);
  }
  await cache.answer('/small', async () => 'small');
  expect(cache.get('/small')).toBeDefined();
});

test('work is given up when all who waited for it have left, and made anew for whoever comes then', async () => {
  const cache = cacheOver(clock());
  const signals: AbortSignal[] = [];
  const make = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const callers = [new AbortController(), new AbortController()];
  const answers = callers.map(({ signal }) => cache.answer('/slow', make, { gone: signal }).catch((error) => error));
  callers[0]?.abort(new Error('first left'));
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  callers[1]?.abort(new Error('second left'));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(await Promise.all(answers)).toEqual([new Error('second left'), new Error('second left')]);
  const again = cache.answer('/slow', async () => 'anew');
  expect((await again).bodies.identity.toString()).toBe('"anew"');
});

test('nothing is made for who has left before it is asked', async () => {
  let made = 0;
  const gone = AbortSignal.abort(new Error('left'));
  await expect(cacheOver(clock()).answer('/left', async () => ++made, { gone })).rejects.toThrow('left');
  expect(made).toBe(0);
});
