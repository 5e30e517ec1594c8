import { expect, test } from '@jest/globals';
import { KeyedQueue } from './keyed-queue.ts';

test('work on one subject is done one after another, on others at the same time', async () => {
  const queue = new KeyedQueue();
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await Promise.resolve();
    steps.push(`${name} ends`);
  };
  await Promise.all([
    queue.run('post', work('first')),
    queue.run('post', work('second')),
    queue.run('other', work('third')),
  ]);
  const ofPost = steps.filter((step) => !step.startsWith('third'));
  expect(ofPost).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  expect(steps.indexOf('third begins')).toBeLessThan(steps.indexOf('second begins'));
});

test('work that fails fails for who wanted it alone', async () => {
  const queue = new KeyedQueue();
  const failing = queue.run('post', () => Promise.reject(new Error('away')));
  const next = queue.run('post', async () => 'done');
  await expect(failing).rejects.toThrow('away');
  await expect(next).resolves.toBe('done');
});

test('work that never ends is waited for only so long', async () => {
  const queue = new KeyedQueue({ waitMs: 10 });
  void queue.run('post', () => new Promise(() => {}));
  await expect(queue.run('post', async () => 'done')).resolves.toBe('done');
});
