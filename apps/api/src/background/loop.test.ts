import { expect, test } from '@jest/globals';
import { Loop, runUntilEmpty, takeSteps } from './loop.ts';

const HOUR_MS = 3_600_000;

test('a round that fails is told of, and the next one comes all the same; stopping cuts the pause short', async () => {
  const failures: unknown[] = [];
  let count = 0;
  await new Promise<void>((resolve) => {
    const loop = new Loop({
      pauseMs: 0,
      work: async () => {
        if (++count === 3) resolve(loop.stop());
        else throw new Error(`round ${count}`);
      },
      onFailure: (error) => failures.push(error),
    });
    loop.start();
  });
  expect(failures).toEqual([new Error('round 1'), new Error('round 2')]);
  const patient = new Loop({ pauseMs: HOUR_MS, work: async () => {}, onFailure: () => {} });
  patient.start();
  expect(() => patient.start()).toThrow('started before');
  await new Promise(setImmediate);
  await patient.stop();
});

test('what fails because it was stopped is no failure', async () => {
  const failures: unknown[] = [];
  const loop: Loop = new Loop({
    pauseMs: HOUR_MS,
    work: () => new Promise((_, reject) => loop.signal.addEventListener('abort', () => reject(loop.signal.reason))),
    onFailure: (error) => failures.push(error),
  });
  loop.start();
  await loop.stop();
  expect(failures).toEqual([]);
});

test('a step that fails or never ends keeps no other from its turn; the first failure is told', async () => {
  const taken: number[] = [];
  const { signal } = new AbortController();
  const steps = [
    () => new Promise<void>(() => {}),
    async () => void taken.push(2),
    () => Promise.reject(new Error('third')),
    async () => void taken.push(4),
  ];
  await expect(takeSteps(steps, { ms: 10, signal })).rejects.toThrow('did not end in time');
  expect(taken).toEqual([2, 4]);
});

test('rounds are done until one of all finds nothing to do; a failure ends them', async () => {
  const done: string[] = [];
  const queue = ['a', 'b'];
  const worker = new Loop({
    pauseMs: HOUR_MS,
    work: async () => {
      const next = queue.shift();
      if (next === 'wrong') throw new Error('wrong');
      if (next) done.push(next);
      return next !== undefined;
    },
    onFailure: () => {},
  });
  const follower = new Loop({
    pauseMs: HOUR_MS,
    // Its work queues new work for the loop before it.
    work: async () => done.at(-1) === 'b' && queue.push('c') > 0,
    onFailure: () => {},
  });
  await runUntilEmpty(worker, follower);
  expect(done).toEqual(['a', 'b', 'c']);
  queue.push('wrong', 'd');
  await expect(runUntilEmpty(worker, follower)).rejects.toThrow('wrong');
  expect(queue).toEqual(['d']);
});

test('once stopped no further step is taken', async () => {
  const stopped = new AbortController();
  const taken: number[] = [];
  const steps = [async () => stopped.abort(), async () => void taken.push(2)];
  await takeSteps(steps, { ms: HOUR_MS, signal: stopped.signal });
  expect(taken).toEqual([]);
});
