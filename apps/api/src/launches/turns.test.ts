import { expect, test } from '@jest/globals';
import { Turns } from './turns.ts';

test('work on one subject is done one after another, on others at the same time', async () => {
  const turns = new Turns();
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await Promise.resolve();
    steps.push(`${name} ends`);
  };
  await Promise.all([
    turns.take('post', work('first')),
    turns.take('post', work('second')),
    turns.take('other', work('third')),
  ]);
  const ofPost = steps.filter((step) => !step.startsWith('third'));
  expect(ofPost).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  expect(steps.indexOf('third begins')).toBeLessThan(steps.indexOf('second begins'));
});

test('work that fails fails for who wanted it alone', async () => {
  const turns = new Turns();
  const failing = turns.take('post', () => Promise.reject(new Error('away')));
  const next = turns.take('post', async () => 'done');
  await expect(failing).rejects.toThrow('away');
  await expect(next).resolves.toBe('done');
});

test('work that never ends is waited for only so long', async () => {
  const turns = new Turns({ waitMs: 10 });
  void turns.take('post', () => new Promise(() => {}));
  await expect(turns.take('post', async () => 'done')).resolves.toBe('done');
});
