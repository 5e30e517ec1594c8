import { expect, test } from '@jest/globals';
import { HoldingCheck } from './holding-check.ts';

let now = 1_000_000;

function _counted() {
  const read: string[] = [];
  const check = new HoldingCheck(() => now);
  const reader = (wallet: string, answer: boolean) => async () => {
    read.push(wallet);
    return answer;
  };
  const recent = (wallet: string, answer = false) => check.recent(wallet, reader(wallet, answer));
  const fresh = (wallet: string, answer = false) => check.fresh(wallet, reader(wallet, answer));
  return { read, recent, fresh };
}

test('what was read of a wallet lately is not read again, unless a launch depends on it', async () => {
  const { read, recent, fresh } = _counted();
  expect(await Promise.all([recent('a'), recent('a'), recent('b', true)])).toEqual([false, false, true]);
  expect(await fresh('a', true)).toBe(true);
  expect(await recent('a')).toBe(true);
  expect(read).toEqual(['a', 'b', 'a']);
  now += 16_000;
  expect(await recent('a')).toBe(false);
  expect(read).toHaveLength(4);
});

test('what could not be read is read again', async () => {
  const check = new HoldingCheck(() => now);
  const fails = () => Promise.reject(new Error('away'));
  await expect(check.recent('a', fails)).rejects.toThrow('away');
  expect(await check.recent('a', async () => true)).toBe(true);
});

test('a crowd that only looks asks the node so often a second; a launch always does', async () => {
  const { read, recent, fresh } = _counted();
  const answers = await Promise.all(Array.from({ length: 1_000 }, (_, at) => recent(`wallet ${at}`)));
  expect(read).toHaveLength(20);
  // The others are let through: the launch itself checks again.
  expect(answers.filter((isEnough) => !isEnough)).toHaveLength(20);
  expect(await fresh('another')).toBe(false);
  now += 1_000;
  expect(await recent('yet another')).toBe(false);
});
